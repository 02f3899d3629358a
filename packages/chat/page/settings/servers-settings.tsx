import { ActionIcon, Button, Checkbox, Menu, Switch } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { FormRow, FormRows, showProblem } from '@parley/page/parts'
import { keepFlag, readFlag } from '@parley/page/shell'
import { useState, type ReactElement } from 'react'

import type { Methods, ServerView } from '../../src/protocol/index.ts'
import { channel } from '../channel.ts'
import { importantFlag } from '../composer/important.ts'
import { SignIn } from '../left/sign-in.tsx'
import { Browse } from '../servers/browse.tsx'
import { serverLooks } from '../servers/server-looks.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { AddServers } from '../welcome/add-servers.tsx'

/** The servers with their state and its reason, and what each offers. */
export function ServersSettings(): ReactElement {
  const servers = useStore((store) => store.servers)
  const canSetUp = useStore((store) => store.canSetUp)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <>
      <ul className="card form-rows plain-rows" aria-label="Servers of this chat">
        {servers.map((server) => (
          <ServerRow key={server.name} server={server} />
        ))}
        {servers.length === 0 && (
          <li className="form-row quiet">No servers yet: the model has no tools.</li>
        )}
      </ul>
      <div className="row wrap-row">
        {canSetUp && (
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            aria-expanded={isAdding}
            onClick={() => setIsAdding(!isAdding)}
          >
            Add server
          </Button>
        )}
        <Browse />
      </div>
      <AttachImportant />
      {isAdding && <AddServers onDone={() => setIsAdding(false)} />}
    </>
  )
}

/** Off unless the person switches it on. */
function AttachImportant(): ReactElement {
  const [isAttaching, setIsAttaching] = useState(() => readFlag(importantFlag, false))
  return (
    <FormRows>
      <FormRow
        title="Attach resources that a server calls important to new chats"
        about="They are shown before you send, and you can take them out."
      >
        <Switch
          aria-label="Attach resources that a server calls important to new chats"
          checked={isAttaching}
          onChange={({ currentTarget: { checked } }) => {
            setIsAttaching(checked)
            keepFlag(importantFlag, checked)
          }}
        />
      </FormRow>
    </FormRows>
  )
}

function ServerRow({ server }: { readonly server: ServerView }): ReactElement {
  const { name, state, error, tools, prompts, resources, templates } = server
  const canSetUp = useStore((store) => store.canSetUp)
  const [isOpen, setIsOpen] = useState(false)
  const { word, tone } = serverLooks[state]
  const counts = [
    counted(tools.length, 'tool'),
    counted(prompts.length, 'prompt'),
    counted(resources.length + templates.length, 'resource'),
  ].filter(Boolean)
  const about =
    error !== undefined && state !== 'ready'
      ? visible(error)
      : counts.join(', ') || 'It offers nothing.'
  return (
    <li aria-label={visible(name)}>
      <div className="form-row">
        <span className="dot" data-tone={tone} />
        <div className="form-row-words">
          <div className="form-row-title">
            {visible(name)} {state !== 'ready' && <span className="quiet">{word}</span>}
          </div>
          <div className="form-row-about" data-tone={state === 'failed' ? 'bad' : 'plain'}>
            {about}
          </div>
          {server.title !== undefined && (
            <div className="form-row-about">{visible(server.title)}</div>
          )}
        </div>
        {tools.length > 0 && (
          <Button
            variant="default"
            size="xs"
            aria-expanded={isOpen}
            aria-label={`Tools of ${visible(name)}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            Tools
          </Button>
        )}
        {state !== 'ready' && state !== 'sign-in' && (
          <Button variant="default" size="xs" onClick={() => run('servers/restart', { name })}>
            {state === 'failed' ? 'Restart' : 'Start'}
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`Actions for ${visible(name)}`}>
              <Icon name="dots" size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => run('servers/restart', { name })}>Restart</Menu.Item>
            <Menu.Item onClick={() => run('servers/stop', { name })}>Stop</Menu.Item>
            {canSetUp && (
              <Menu.Item color="red" onClick={() => run('servers/remove', { name })}>
                Remove from this chat
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      {state === 'sign-in' && server.canSignIn && (
        <div className="server-detail">
          <SignIn server={name} />
        </div>
      )}
      {isOpen && (
        <div className="server-detail">
          <p className="quiet">Tools that the model is told of:</p>
          {tools.map((tool) => (
            <Checkbox
              key={tool.name}
              size="xs"
              label={visible(tool.title ?? tool.name)}
              aria-label={`The model is told of ${visible(tool.name)}`}
              checked={tool.isEnabled}
              onChange={({ currentTarget: { checked } }) =>
                run('tools/enable', { server: name, tool: tool.name, isEnabled: checked })
              }
            />
          ))}
        </div>
      )}
    </li>
  )
}

function run<M extends keyof Methods>(method: M, params: Methods[M]['params']): void {
  channel.ask(method, params).catch((error: unknown) => showProblem(error, 'That did not work'))
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}
