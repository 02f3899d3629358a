import { Button, Group, Select, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { pickFile, readAs } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { Note, ProblemNote, problemOf, showProblem } from '@parley/page/parts'
import { useEffect, useState, type DragEvent, type ReactElement } from 'react'

import type { ConfigFile, ConfigOrigin, ConfigPreview } from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { closeDialog, showServer } from '../../view.ts'
import { ConfigServers } from './config-servers.tsx'

/** Adds servers of a configuration: pasted, dropped, or of another application. None is started or connected by that. */
export function PasteConfig(): ReactElement {
  const [origin, setOrigin] = useState<ConfigOrigin>({ text: '' })
  const found = useFound()
  const preview = usePreview(origin, found)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [answers, setAnswers] = useState<{ readonly [id: string]: string }>({})
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })

  const text = 'text' in origin ? origin.text : ''
  const good = (preview?.servers ?? []).filter(
    ({ name, why }) => why === undefined && !left.has(name),
  )
  const isCompleted = good.every(({ inputs }) => inputs.every(({ id }) => answers[id]))

  async function take(file: File | undefined) {
    try {
      if (file) setOrigin({ text: await readAs(file, 'text'), name: file.name })
    } catch (error) {
      showProblem(error, 'The file could not be read')
    }
  }

  async function add() {
    setState({ isBusy: true })
    try {
      const names = good.map(({ name }) => name)
      const { added } = await openChannel().ask('config/add', { from: origin, names, answers })
      closeDialog()
      if (added[0] !== undefined) showServer(added[0], 'tools')
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  function onDrop(event: DragEvent) {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }

  return (
    <div
      className="stack"
      role="group"
      aria-label="Configuration of servers"
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      {found.length > 0 && (
        <Select
          label="From another application"
          placeholder="Found on this machine"
          value={'file' in origin ? origin.file : null}
          data={found.map(({ file, format, servers }) => ({
            value: file,
            label: `${format}: ${file} (${servers.length})`,
          }))}
          clearable
          onChange={(file) => setOrigin(file === null ? { text: '' } : { file })}
        />
      )}
      <Textarea
        label="Configuration"
        description="JSON, JSON with comments, YAML or TOML, as other applications keep it. Paste it, or drop a file here."
        placeholder={'{ "mcpServers": { "notes": { "command": "npx", "args": ["-y", "notes"] } } }'}
        autosize
        minRows={5}
        maxRows={12}
        value={text}
        onChange={(event) => setOrigin({ text: event.currentTarget.value })}
        classNames={{ input: 'mono' }}
        data-autofocus
      />
      <Button
        variant="default"
        size="compact-sm"
        className="self-start"
        leftSection={<Icon name="file" size={13} />}
        onClick={() => void pickFile('.json,.jsonc,.yaml,.yml,.toml').then(take)}
      >
        Choose a file
      </Button>
      {preview !== undefined && preview.problems.length > 0 && (
        <Note tone="warning" title="Something is wrong with it">
          <ul className="issues">
            {preview.problems.slice(0, 8).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Note>
      )}
      {preview !== undefined && preview.servers.length > 0 && (
        <ConfigServers
          servers={preview.servers}
          left={left}
          onLeave={(name, isLeft) =>
            setLeft(
              new Set([
                ...[...left].filter((candidate) => candidate !== name),
                ...(isLeft ? [name] : []),
              ]),
            )
          }
          answers={answers}
          onAnswer={(id, answer) => setAnswers({ ...answers, [id]: answer })}
        />
      )}
      {state.error !== undefined && (
        <ProblemNote problem={problemOf(state.error)} title="They were not added" />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={closeDialog}>
          Cancel
        </Button>
        <Button
          disabled={good.length === 0 || !isCompleted}
          loading={state.isBusy}
          onClick={() => void add()}
        >
          {good.length === 1 ? 'Add 1 server' : `Add ${good.length} servers`}
        </Button>
      </Group>
    </div>
  )
}

/** The configuration files of this machine. */
function useFound(): readonly ConfigFile[] {
  const [found, setFound] = useState<readonly ConfigFile[]>([])
  useEffect(() => {
    openChannel()
      .ask('config/found', {})
      .then(setFound, () => undefined) // a courtesy; a text can be pasted all the same
  }, [])
  return found
}

/** What a text or a file holds; a text is read by the service, as the command line reads files. */
function usePreview(origin: ConfigOrigin, found: readonly ConfigFile[]): ConfigPreview | undefined {
  const [read, setRead] = useState<{ readonly of: ConfigOrigin; readonly preview: ConfigPreview }>()
  const [debounced] = useDebouncedValue(origin, 150)
  useEffect(() => {
    if (!('text' in debounced) || debounced.text.trim() === '') return undefined
    let isOver = false
    openChannel()
      .ask('config/read', debounced)
      .then(
        (preview) => !isOver && setRead({ of: debounced, preview }),
        (error: unknown) =>
          !isOver &&
          setRead({
            of: debounced,
            preview: { servers: [], problems: [problemOf(error).message] },
          }),
      )
    return () => {
      isOver = true
    }
  }, [debounced])
  if ('file' in origin) return found.find(({ file }) => file === origin.file)
  return origin.text.trim() === '' ? undefined : read?.of === origin ? read.preview : undefined
}
