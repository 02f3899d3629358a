import { Button, Group, Modal, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { parseUrl } from '@parley/mcp/address'
import type { ServerEntry } from '@parley/mcp/client'
import { freeName } from '@parley/page/browse'
import { joinCommandLine, splitCommandLine, unclosedQuote } from '@parley/page/form'
import { Note, ProblemNote, problemOf } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { useStore } from '../../store.ts'
import { closeDialog } from '../../view.ts'
import { Browse } from './browse.tsx'
import { PasteConfig } from './paste-config.tsx'
import { readPairs, writePairs } from './read-pairs.ts'
import { takeAdded } from './server-actions.ts'

export interface AddServerProps {
  /** The server to change; without one, a new one is added. */
  readonly edited?: ServerView | undefined
}

/** Adds or changes a server by its command or its address. A command is shown word by word before it starts. */
export function AddServer({ edited }: AddServerProps): ReactElement {
  const may = useStore((store) => store.may)
  const servers = useStore((store) => store.servers)
  const isNarrow = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false })
  const first = firstOf(edited)
  const [kind, setKind] = useState<'command' | 'url' | 'config' | 'browse'>(
    edited ? first.kind : may.spawn ? 'command' : 'url',
  )
  const [name, setName] = useState('')
  const [line, setLine] = useState(first.line)
  const [variables, setVariables] = useState(first.variables)
  const [folder, setFolder] = useState(first.folder)
  const [url, setUrl] = useState(first.url)
  const [transport, setTransport] = useState(first.transport)
  const [headers, setHeaders] = useState(first.headers)
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })

  const argv = splitCommandLine(line)
  const usedNames = new Set(servers.map((server) => server.name))
  const suggested = freeName(kind === 'command' ? nameOfCommand(argv) : nameOfUrl(url), usedNames)
  const chosen = edited?.name ?? (name.trim() || suggested)
  const isUsed = edited === undefined && usedNames.has(chosen)
  const openQuote = unclosedQuote(line)
  const env = readPairs(variables, '=')
  const sent = readPairs(headers, ':')
  const isFaulty =
    kind === 'command'
      ? env.problems.length > 0 || openQuote !== undefined
      : sent.problems.length > 0
  const isComplete =
    kind !== 'config' &&
    kind !== 'browse' &&
    chosen !== '' &&
    !isUsed &&
    !isFaulty &&
    (kind === 'command' ? argv.length > 0 : isUrl(url))

  async function add(event: FormEvent) {
    event.preventDefault()
    if (!isComplete) return
    setState({ isBusy: true })
    try {
      const method = edited ? 'servers/edit' : 'servers/add'
      const server = await openChannel().ask(method, { name: chosen, entry: readEntry() })
      takeAdded(server)
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  function readEntry(): ServerEntry {
    if (kind === 'command') {
      const [command = '', ...args] = argv
      return {
        command,
        args,
        ...(Object.keys(env.pairs).length > 0 && { env: env.pairs }),
        ...(folder.trim() !== '' && { cwd: folder.trim() }),
      }
    }
    return {
      url: url.trim(),
      ...(transport !== 'auto' && { type: transport as 'http' | 'sse' | 'ws' }), // the choices below
      ...(Object.keys(sent.pairs).length > 0 && { headers: sent.pairs }),
    }
  }

  const commandFields = (
    <>
      <TextInput
        label="Command line"
        description="Quotes keep words together. No shell is used."
        placeholder="npx -y @modelcontextprotocol/server-everything"
        value={line}
        onChange={(event) => setLine(event.currentTarget.value)}
        error={openQuote !== undefined && `A quote is not closed: add another ${openQuote}`}
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
        error={env.problems.length > 0 && env.problems.join('. ')}
        classNames={{ input: 'mono' }}
      />
      <TextInput
        label="Folder to start in"
        value={folder}
        onChange={(event) => setFolder(event.currentTarget.value)}
        classNames={{ input: 'mono' }}
      />
    </>
  )
  const urlFields = (
    <>
      <TextInput
        label="Address"
        placeholder="https://example.com/mcp"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={
          url !== '' && !isUrl(url) && 'An address begins with http://, https://, ws:// or wss://'
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
        error={sent.problems.length > 0 && sent.problems.join('. ')}
        classNames={{ input: 'mono' }}
      />
    </>
  )

  return (
    <Modal
      opened
      onClose={closeDialog}
      title={edited ? `Edit ${edited.name}` : 'Add a server'}
      size="lg"
    >
      <form className="stack" onSubmit={(event) => void add(event)}>
        <SegmentedControl
          aria-label="Kind of server"
          value={kind}
          onChange={setKind}
          data={[
            {
              value: 'command',
              label: isNarrow ? 'Command' : 'Command (stdio)',
              disabled: !may.spawn,
            },
            { value: 'url', label: isNarrow ? 'Address' : 'Address (HTTP, SSE, WebSocket)' },
            ...(edited ? [] : [{ value: 'config' as const, label: 'Configuration' }]),
            ...(edited || !may.browse ? [] : [{ value: 'browse' as const, label: 'Browse' }]),
          ]}
        />
        {!may.spawn && (
          <Note tone="info">
            The inspector was started with --no-spawn, so it cannot start commands.
          </Note>
        )}
        {edited && (
          <p className="quiet">
            Values shown as {'••••••'} stay as they are. It is disconnected, and a command is shown
            again before it starts.
          </p>
        )}
        {kind === 'browse' && <Browse />}
        {kind === 'config' && <PasteConfig />}
        {(kind === 'command' || kind === 'url') && (
          <>
            {kind === 'command' ? commandFields : urlFields}
            {edited === undefined && (
              <TextInput
                label="Name"
                placeholder={suggested}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                error={isUsed && `There is a server named ${chosen} already`}
              />
            )}
            {state.error !== undefined && (
              <ProblemNote
                problem={problemOf(state.error)}
                title={edited ? 'It was not changed' : 'It was not added'}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={closeDialog}>
                Cancel
              </Button>
              <Button type="submit" disabled={!isComplete} loading={state.isBusy}>
                {kind === 'command' ? 'Review command' : edited ? 'Connect' : 'Add and connect'}
              </Button>
            </Group>
          </>
        )}
      </form>
    </Modal>
  )
}

function isUrl(text: string): boolean {
  return /^(https?|wss?):\/\//.test(text.trim()) && parseUrl(text.trim()) !== undefined
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

function nameOfUrl(url: string): string {
  return isUrl(url) ? new URL(url.trim()).host : ''
}

/** What the fields begin with. */
function firstOf(edited: ServerView | undefined) {
  const none = { line: '', variables: '', folder: '', url: '', transport: 'auto', headers: '' }
  if (edited === undefined) return { ...none, kind: 'command' as const }
  const { entry } = edited
  if ('command' in entry) {
    return {
      ...none,
      kind: 'command' as const,
      line: joinCommandLine([entry.command, ...(entry.args ?? [])]),
      variables: writePairs(entry.env, '='),
      folder: entry.cwd ?? '',
    }
  }
  return {
    ...none,
    kind: 'url' as const,
    url: entry.url,
    transport: entry.type === 'streamable-http' ? 'http' : (entry.type ?? 'auto'),
    headers: writePairs(entry.headers, ': '),
  }
}
