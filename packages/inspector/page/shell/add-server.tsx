import { Button, Group, Modal, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import type { ServerEntry } from '@parley/mcp/client'
import { useState, type FormEvent, type ReactElement } from 'react'

import { openChannel } from '../channel.ts'
import { Note, problemOf, ProblemNote } from '../parts/problem.tsx'
import { useStore } from '../store.ts'
import { closeDialog, openDialog, showServer } from '../view.ts'
import { readPairs, splitCommandLine } from './command-line.ts'

/** Adds a server by its command or its address. A command is shown word by word before it starts. */
export function AddServer(): ReactElement {
  const may = useStore((store) => store.may)
  const servers = useStore((store) => store.servers)
  const [kind, setKind] = useState<'command' | 'url'>(may.spawn ? 'command' : 'url')
  const [name, setName] = useState('')
  const [line, setLine] = useState('')
  const [variables, setVariables] = useState('')
  const [folder, setFolder] = useState('')
  const [url, setUrl] = useState('')
  const [transport, setTransport] = useState('auto')
  const [headers, setHeaders] = useState('')
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })

  const argv = splitCommandLine(line)
  const taken = new Set(servers.map((server) => server.name))
  const suggested = freeName(kind === 'command' ? nameOfCommand(argv) : nameOfUrl(url), taken)
  const chosen = name.trim() || suggested
  const isTaken = taken.has(chosen)
  const isComplete =
    chosen !== '' && !isTaken && (kind === 'command' ? argv.length > 0 : isUrl(url))

  async function add(event: FormEvent) {
    event.preventDefault()
    if (!isComplete) return
    setState({ isBusy: true })
    try {
      const channel = openChannel()
      const server = await channel.ask('servers/add', { name: chosen, entry: readEntry() })
      // The event that brings it may come later than this answer.
      if (!useStore.getState().servers.some(({ name: known }) => known === server.name)) {
        useStore.setState({ servers: [...useStore.getState().servers, server] })
      }
      showServer(server.name, 'overview')
      if (server.state === 'blocked') openDialog({ kind: 'confirm', server: server.name })
      else {
        closeDialog()
        // A failure is in the server's view, where the user looks next.
        channel.ask('servers/connect', { name: server.name }).catch(() => {})
      }
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  function readEntry(): ServerEntry {
    if (kind === 'command') {
      const [command = '', ...args] = argv
      const env = readPairs(variables, '=')
      return {
        command,
        args,
        ...(Object.keys(env).length > 0 && { env }),
        ...(folder.trim() !== '' && { cwd: folder.trim() }),
      }
    }
    const sent = readPairs(headers, ':')
    return {
      url: url.trim(),
      ...(transport !== 'auto' && { type: transport as 'http' | 'sse' | 'ws' }), // the choices below
      ...(Object.keys(sent).length > 0 && { headers: sent }),
    }
  }

  return (
    <Modal opened onClose={closeDialog} title="Add a server" size="lg">
      <form className="stack" onSubmit={(event) => void add(event)}>
        <SegmentedControl
          aria-label="Kind of server"
          value={kind}
          onChange={setKind}
          data={[
            { value: 'command', label: 'Command (stdio)', disabled: !may.spawn },
            { value: 'url', label: 'Address (HTTP, SSE, WebSocket)' },
          ]}
        />
        {!may.spawn && (
          <Note tone="info">The inspector was started without the right to start commands.</Note>
        )}
        {kind === 'command' ? (
          <>
            <TextInput
              label="Command line"
              description="Quotes keep words together. It is never given to a shell."
              placeholder="npx -y @modelcontextprotocol/server-everything"
              value={line}
              onChange={(event) => setLine(event.currentTarget.value)}
              classNames={{ input: 'mono' }}
              required
              data-autofocus
            />
            <Textarea
              label="Environment"
              description="One NAME=value a line"
              autosize
              minRows={2}
              maxRows={6}
              value={variables}
              onChange={(event) => setVariables(event.currentTarget.value)}
              classNames={{ input: 'mono' }}
            />
            <TextInput
              label="Folder to start in"
              value={folder}
              onChange={(event) => setFolder(event.currentTarget.value)}
              classNames={{ input: 'mono' }}
            />
          </>
        ) : (
          <>
            <TextInput
              label="Address"
              placeholder="https://example.com/mcp"
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value)}
              error={
                url !== '' &&
                !isUrl(url) &&
                'An address begins with http://, https://, ws:// or wss://'
              }
              classNames={{ input: 'mono' }}
              required
              data-autofocus
            />
            <Select
              label="Transport"
              value={transport}
              onChange={(value) => setTransport(value ?? 'auto')}
              data={[
                { value: 'auto', label: 'Find out' },
                { value: 'http', label: 'Streamable HTTP' },
                { value: 'sse', label: 'HTTP with SSE (2024-11-05)' },
                { value: 'ws', label: 'WebSocket' },
              ]}
              allowDeselect={false}
            />
            <Textarea
              label="Headers"
              description="One Name: value a line; for a server that wants an API key"
              autosize
              minRows={2}
              maxRows={6}
              value={headers}
              onChange={(event) => setHeaders(event.currentTarget.value)}
              classNames={{ input: 'mono' }}
            />
          </>
        )}
        <TextInput
          label="Name"
          placeholder={suggested}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isTaken && `There is a server named ${chosen} already`}
        />
        {state.error !== undefined && (
          <ProblemNote problem={problemOf(state.error)} title="It was not added" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={closeDialog}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isComplete} loading={state.isBusy}>
            {kind === 'command' ? 'Review command' : 'Add and connect'}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function isUrl(text: string): boolean {
  return /^(https?|wss?):\/\//.test(text.trim()) && URL.canParse(text.trim())
}

/** The last word that looks like a program or package, without folders and endings. */
function nameOfCommand(argv: readonly string[]): string {
  const words = argv.filter((word) => !word.startsWith('-'))
  const word =
    words.length > 1 && /^(node|npx|bunx?|deno|uvx?|python3?)$/.test(words[0] ?? '')
      ? words[1]
      : words[0]
  return (word ?? '')
    .replace(/.*[/\\]/, '')
    .replace(/\.\w+$/, '')
    .replace(/^(mcp-)?server-/, '')
}

/** The name itself, or with the first number that makes it new. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}-${number}`)) number++
  return `${name}-${number}`
}

function nameOfUrl(url: string): string {
  return isUrl(url) ? new URL(url.trim()).host : ''
}
