import { Modal } from '@mantine/core'
import type { ReactElement } from 'react'

import { Snippet } from './snippet.tsx'

/** The commands that publish a server here. */
export function publishCommands(): readonly string[] {
  const registry = new URL('.', document.baseURI).href.replace(/\/$/, '')
  // A registry that lets anybody publish listens on its own machine only.
  const way = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)
    ? 'anonymous'
    : 'github'
  return [
    'npx @parley/cli registry init',
    `npx @parley/cli registry login ${way} --registry ${registry}`,
    `npx @parley/cli publish --registry ${registry}`,
  ]
}

/** How to publish, as lines to copy. */
export function PublishSteps(): ReactElement {
  const [init = '', login = '', publish = ''] = publishCommands()
  return (
    <ol className="publish-steps">
      <li>
        <p>In the folder of your server, write its server.json from package.json.</p>
        <Snippet text={init} label="Copy the first command" />
      </li>
      <li>
        <p>Prove that the name is yours. DNS, a file on your web site and keys work too.</p>
        <Snippet text={login} label="Copy the second command" />
      </li>
      <li>
        <p>Check it and publish it.</p>
        <Snippet text={publish} label="Copy the third command" />
      </li>
    </ol>
  )
}

/** The same over the page. */
export function PublishDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <Modal opened onClose={onClose} title="Publish a server" size="lg">
      <PublishSteps />
      <p className="publish-more">
        <a
          href="https://github.com/parley-mcp/parley/blob/main/docs/publish.md"
          target="_blank"
          rel="noreferrer noopener"
        >
          Publish a server, step by step
        </a>
      </p>
    </Modal>
  )
}
