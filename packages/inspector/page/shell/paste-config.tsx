import { Button, Group, Textarea } from '@mantine/core'
import { useMemo, useState, type ReactElement } from 'react'

import { openChannel } from '../channel.ts'
import { problemOf, ProblemNote } from '../parts/problem.tsx'
import { Tag } from '../parts/tag.tsx'
import { useStore } from '../store.ts'
import { closeDialog, showServer } from '../view.ts'
import { readConfigText, type PastedServer } from './config-text.ts'

/** Adds all servers of a configuration that was pasted. None is started or connected by that. */
export function PasteConfig(): ReactElement {
  const [text, setText] = useState('')
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const known = useStore((store) => store.servers)
  const maySpawn = useStore((store) => store.may.spawn)
  const found = useMemo(() => readConfigText(text), [text])
  const names = new Set(known.map(({ name }) => name))
  const servers = (found ?? []).map((one) => refuse(one, names, maySpawn))
  const good = servers.flatMap((one) => ('entry' in one ? [one] : []))

  async function add() {
    setState({ isBusy: true })
    try {
      for (const { name, entry } of good) await openChannel().ask('servers/add', { name, entry })
      closeDialog()
      if (good[0]) showServer(good[0].name, 'overview')
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  return (
    <>
      <Textarea
        label="Configuration"
        description='JSON with "mcpServers" or "servers", as other applications keep it'
        placeholder={'{ "mcpServers": { "notes": { "command": "npx", "args": ["-y", "notes"] } } }'}
        autosize
        minRows={6}
        maxRows={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        classNames={{ input: 'mono' }}
        error={text.trim() !== '' && found === undefined && 'No servers were found in it'}
        data-autofocus
      />
      {servers.length > 0 && (
        <ul className="pasted" aria-label="Servers in it">
          {servers.map((one) => (
            <li key={one.name}>
              <strong>{one.name}</strong>{' '}
              {'entry' in one ? (
                <code className="mono wrap">
                  {'url' in one.entry
                    ? one.entry.url
                    : [one.entry.command, ...(one.entry.args ?? [])].join(' ')}
                </code>
              ) : (
                <Tag tone="warning">{one.why}</Tag>
              )}
            </li>
          ))}
        </ul>
      )}
      {state.error !== undefined && (
        <ProblemNote problem={problemOf(state.error)} title="Not all were added" />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={closeDialog}>
          Cancel
        </Button>
        <Button disabled={good.length === 0} loading={state.isBusy} onClick={() => void add()}>
          {good.length === 1 ? 'Add 1 server' : `Add ${good.length} servers`}
        </Button>
      </Group>
    </>
  )
}

function refuse(one: PastedServer, names: ReadonlySet<string>, maySpawn: boolean): PastedServer {
  const { name } = one
  if ('why' in one) return one
  if (names.has(name)) return { name, why: 'there is a server of this name' }
  return 'command' in one.entry && !maySpawn ? { name, why: 'commands are not taken here' } : one
}
