import { Button, Modal, SegmentedControl } from '@mantine/core'
import { installLinks } from '@parley/foundation/install-links'
import { Icon } from '@parley/page/icons'
import { CopyText } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { useStore } from '../store.ts'
import { showView } from '../view.ts'

const products = [
  { value: 'claude', label: 'Claude Code' },
  { value: 'vscode', label: 'VS Code' },
  { value: 'cursor', label: 'Cursor' },
  { value: 'codex', label: 'Codex' },
  { value: 'gemini', label: 'Gemini CLI' },
  { value: 'json', label: 'JSON' },
] as const

/** How a client reaches this gateway: the address, and one command or one link for a product. A key is never part of it. */
export function ConnectClient({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [product, setProduct] = useState<string>('claude')
  const url = useStore((store) => store.state?.url ?? undefined)
  const hasKeys = useStore((store) => store.state?.has.keys === true)
  return (
    <Modal opened onClose={onClose} title="Connect a client" size="lg">
      {url === undefined ? (
        <p>
          This gateway speaks over standard input and output: the client starts it. Let it listen on
          a port to connect others.
        </p>
      ) : (
        <div className="stack">
          <Line text={url} label="Copy the address of the gateway" />
          <SegmentedControl
            aria-label="Product"
            className="self-start"
            value={product}
            onChange={setProduct}
            data={[...products]}
          />
          <Product product={product} url={url} hasKeys={hasKeys} />
          {hasKeys && (
            <p className="quiet">
              Callers need an API key.{' '}
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  onClose()
                  showView('keys')
                }}
              >
                Create one
              </button>
              , and set <code>GATEWAY_KEY</code> to it where the command runs.
            </p>
          )}
        </div>
      )}
    </Modal>
  )
}

function Product(props: {
  readonly product: string
  readonly url: string
  readonly hasKeys: boolean
}): ReactElement {
  const { product, url, hasKeys } = props
  // Text by the page's own rule, not by the server's: the product asks for it, or takes a variable.
  const headers: { readonly [name: string]: string } = hasKeys
    ? { Authorization: 'Bearer ${input:gateway-key}' }
    : {}
  if (product === 'json') {
    const server = {
      type: 'http',
      url,
      ...(hasKeys && { headers: { Authorization: 'Bearer ${GATEWAY_KEY}' } }),
    }
    const text = JSON.stringify({ mcpServers: { gateway: server } }, undefined, 2)
    return <Line text={text} label="Copy the entry" />
  }
  const inputs = hasKeys
    ? [{ id: 'gateway-key', type: 'promptString', description: 'API key', password: true }]
    : []
  const entry = { kind: 'url', type: 'http', url, headers } as const
  const link = installLinks({ name: 'gateway', entry, inputs }).find(
    ({ client }) => client === product,
  )
  if (link === undefined) return <></>
  const label = products.find(({ value }) => value === product)?.label ?? product
  if (link.kind === 'command')
    return <Line text={link.text} label={`Copy the command of ${label}`} />
  return (
    <Button
      component="a"
      href={link.text}
      className="self-start"
      leftSection={<Icon name="download" size={14} />}
    >
      Add to {label}
    </Button>
  )
}

/** Text to paste. */
function Line({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  return (
    <div className="row line-to-copy">
      <pre
        className="text grow"
        tabIndex={0}
        role="region"
        aria-label={label.replace('Copy the', 'The')}
      >
        {text}
      </pre>
      <CopyText text={text} label={label} />
    </div>
  )
}
