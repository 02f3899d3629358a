import { ActionIcon, Button, Checkbox, Menu } from '@mantine/core'
import { Icon, type IconName } from '@parley/page/icons'
import { showProblem, Tag, type Tone } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { Methods, ServerView } from '../../src/protocol/index.ts'
import { channel } from '../channel.ts'
import { Browse } from '../servers/browse.tsx'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { AddServers } from '../welcome/add-servers.tsx'
import { SignIn } from './sign-in.tsx'

const looks: Readonly<
  Record<
    ServerView['state'],
    { readonly word: string; readonly tone: Tone; readonly icon: IconName }
  >
> = {
  idle: { word: 'not started', tone: 'plain', icon: 'circle' },
  connecting: { word: 'connecting', tone: 'info', icon: 'refresh' },
  ready: { word: 'ready', tone: 'good', icon: 'check' },
  failed: { word: 'failed', tone: 'bad', icon: 'alert' },
  'sign-in': { word: 'sign-in needed', tone: 'warning', icon: 'key' },
  off: { word: 'off', tone: 'plain', icon: 'lock' },
}

/** The servers with their state and its reason, and what each offers. */
export function Servers(): ReactElement {
  const servers = useStore((store) => store.servers)
  const canSetUp = useStore((store) => store.canSetUp)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <section className="left-part" aria-label="Servers">
      <div className="row left-head">
        <h2 className="grow">Servers</h2>
        <Browse />
        {canSetUp && (
          <Button
            variant="light"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            aria-expanded={isAdding}
            onClick={() => setIsAdding(!isAdding)}
          >
            Add
          </Button>
        )}
      </div>
      {isAdding && <AddServers onDone={() => setIsAdding(false)} />}
      <ul className="left-list">
        {servers.map((server) => (
          <ServerRow key={server.name} server={server} />
        ))}
      </ul>
      {servers.length === 0 && (
        <p className="quiet left-none">No servers yet: the model has no tools.</p>
      )}
    </section>
  )
}

function ServerRow({ server }: { readonly server: ServerView }): ReactElement {
  const { name, state, error, tools, prompts, resources, templates } = server
  const canSetUp = useStore((store) => store.canSetUp)
  const { word, tone, icon } = looks[state]
  const counts = [
    counted(tools.length, 'tool'),
    counted(prompts.length, 'prompt'),
    counted(resources.length + templates.length, 'resource'),
  ].filter(Boolean)
  return (
    <li className="left-server">
      <details>
        <summary>
          <span className="cut">{visible(name)}</span>
          <Tag tone={tone} icon={icon}>
            {word}
          </Tag>
        </summary>
        <div className="left-detail">
          {server.title !== undefined && <p className="wrap">{visible(server.title)}</p>}
          <p className="quiet">{counts.join(', ') || 'It offers nothing.'}</p>
          {tools.length > 0 && <p className="quiet">Tools that the model is told of:</p>}
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
      </details>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${visible(name)}`} size={24}>
            <Icon name="dots" size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => run('servers/restart', { name })}>
            {state === 'ready' ? 'Restart' : 'Try again'}
          </Menu.Item>
          <Menu.Item onClick={() => run('servers/stop', { name })}>Stop</Menu.Item>
          {canSetUp && (
            <Menu.Item color="red" onClick={() => run('servers/remove', { name })}>
              Remove from this chat
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {error !== undefined && state !== 'ready' && (
        <p className="left-reason wrap" data-tone={tone}>
          {visible(error)}
        </p>
      )}
      {state === 'sign-in' && server.canSignIn && <SignIn server={name} />}
    </li>
  )
}

function run<M extends keyof Methods>(method: M, params: Methods[M]['params']): void {
  channel.ask(method, params).catch((error: unknown) => showProblem(error, 'That did not work'))
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}
