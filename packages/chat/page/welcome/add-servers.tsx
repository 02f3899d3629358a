import { Button, Checkbox, Loader } from '@mantine/core'
import { Note, problemOf, showProblem } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { FoundFile } from '../../src/core/found.ts'
import { channel } from '../channel.ts'
import { visible } from '../visible.ts'
import { AddCustom } from './add-own.tsx'

/** Servers of other applications' files: each with the command that would run, and none without a press. */
export function AddServers({ onDone }: { readonly onDone?: () => void }): ReactElement {
  const [files, setFiles] = useState<readonly FoundFile[]>()
  const [problem, setProblem] = useState<string>()
  const [count, setCount] = useState(0)
  useEffect(() => {
    channel
      .ask('setup/servers', {})
      .then(setFiles)
      .catch((error: unknown) => setProblem(problemOf(error).message))
  }, [count])
  function added() {
    setCount(count + 1)
    onDone?.()
  }
  if (problem !== undefined) return <Note tone="bad">{problem}</Note>
  if (files === undefined)
    return <Loader size={16} role="status" aria-label="Looking for servers" />
  if (files.length === 0) {
    return (
      <div className="stack-tight">
        <p className="quiet">No other application on this machine has servers.</p>
        <AddCustom onAdded={added} />
      </div>
    )
  }
  return (
    <div className="stack-tight">
      <p className="quiet">
        Found on this machine. Nothing runs before you press the button below it.
      </p>
      {files.map((file) => (
        <FileServers key={file.file} file={file} onAdded={added} />
      ))}
      <AddCustom onAdded={added} />
    </div>
  )
}

function FileServers({
  file,
  onAdded,
}: {
  readonly file: FoundFile
  readonly onAdded: () => void
}): ReactElement {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const wanted = file.servers.filter(({ name }) => picked.has(name))

  async function add() {
    try {
      const servers = wanted.map(({ name, shown }) => ({ name, shown }))
      await channel.ask('setup/add-servers', { file: file.file, servers })
      onAdded()
    } catch (error) {
      showProblem(error, 'Nothing was added')
    }
  }

  return (
    <fieldset className="found-file">
      <legend className="wrap">
        {visible(file.format)} <span className="quiet">{visible(file.file)}</span>
      </legend>
      {file.servers.map(({ name, shown, why }) => (
        <Checkbox
          key={name}
          label={visible(name)}
          description={<span className="wrap mono">{visible(why ?? shown)}</span>}
          disabled={why !== undefined}
          checked={picked.has(name)}
          onChange={({ currentTarget: { checked } }) =>
            setPicked((before) => {
              const next = new Set(before)
              if (checked) next.add(name)
              else next.delete(name)
              return next
            })
          }
        />
      ))}
      <Button
        variant={wanted.length === 0 ? 'default' : 'filled'}
        size="compact-sm"
        disabled={wanted.length === 0}
        onClick={() => void add()}
      >
        {wanted.length < 2 ? 'Add the chosen server' : `Add the ${wanted.length} chosen servers`}
      </Button>
    </fieldset>
  )
}
