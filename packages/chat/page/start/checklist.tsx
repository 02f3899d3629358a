import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { showProblem } from '@parley/page/parts'
import { useEffect, useState, type ReactElement, type ReactNode } from 'react'

import type { FoundFile } from '../../src/core/found.ts'
import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { AddServers } from '../welcome/add-servers.tsx'
import { PickFolder } from '../welcome/pick-folder.tsx'
import { PickModel } from '../welcome/pick-model.tsx'

interface Step {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly action: string
  readonly isDone: boolean
  readonly content: ReactNode
}

/** What is not set up yet. Steps that are done are hidden, and so is the list when somebody hides it. */
export function Checklist(): ReactElement | null {
  const isFirstRun = useStore((store) => store.isFirstRun)
  const canSetUp = useStore((store) => store.canSetUp)
  const servers = useStore((store) => store.servers)
  const roots = useStore((store) => store.roots)
  const model = useStore((store) => store.models[0]) ?? 'scripted'
  const found = useFoundServers(isFirstRun && canSetUp, servers.length)
  const [open, setOpen] = useState<string>()
  if (!isFirstRun || !canSetUp) return null

  const apps = [...new Set(found?.map(({ format }) => format))].map(visible)
  const names = found?.flatMap((file) => file.servers.map(({ name }) => visible(name))) ?? []
  const steps: readonly Step[] = [
    {
      id: 'model',
      title: 'Choose a model',
      about: 'Until then a script answers, to try things out.',
      action: 'Choose model',
      isDone: model !== 'scripted',
      content: <PickModel current={model} />,
    },
    {
      id: 'servers',
      title: apps.length === 0 ? 'Add a server' : `Use the servers of ${apps.join(', ')}`,
      about:
        names.length === 0
          ? 'Its tools, resources and prompts are then here.'
          : `${names.slice(0, 4).join(', ')} ${names.length === 1 ? 'was' : 'were'} found. Nothing starts before you agree.`,
      action: names.length === 0 ? 'Add server' : 'Choose servers',
      isDone: servers.length > 0,
      content: <AddServers onDone={() => setOpen(undefined)} />,
    },
    {
      id: 'folder',
      title: 'Choose a folder',
      about: 'Servers are told that you work there.',
      action: 'Choose folder',
      isDone: roots.length > 0,
      content: <PickFolder />,
    },
  ]
  const left = steps.filter(({ isDone }) => !isDone)
  if (left.length === 0) return null

  return (
    <section className="card steps" aria-label="Finish setting up">
      <div className="card-head">
        <h2>Finish setting up</h2>
        <span className="count">
          {steps.length - left.length} of {steps.length} done
        </span>
        <span className="grow" />
        <Tooltip label="Hide this list">
          <ActionIcon aria-label="Hide this list" onClick={() => void hide()}>
            <Icon name="cross" size={14} />
          </ActionIcon>
        </Tooltip>
      </div>
      <ul className="plain-rows form-rows">
        {left.map(({ id, title, about, action, content }) => (
          <li key={id} className="step">
            <div className="form-row">
              <span className="step-ring" aria-hidden="true" />
              <div className="form-row-words">
                <div className="form-row-title">{title}</div>
                <div className="form-row-about">{about}</div>
              </div>
              <Button
                variant="default"
                size="xs"
                aria-expanded={open === id}
                onClick={() => setOpen(open === id ? undefined : id)}
              >
                {action}
              </Button>
            </div>
            {open === id && <div className="step-content">{content}</div>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The list does not come again: settings have all of it. */
async function hide(): Promise<void> {
  useStore.setState({ isFirstRun: false })
  document.querySelector<HTMLElement>('[data-composer]')?.focus()
  await channel
    .ask('setup/finish', {})
    .catch((error: unknown) => showProblem(error, 'This was not kept: the list comes again'))
}

function useFoundServers(isWanted: boolean, count: number): readonly FoundFile[] | undefined {
  const [found, setFound] = useState<readonly FoundFile[]>()
  useEffect(() => {
    if (!isWanted) return
    channel.ask('setup/servers', {}).then(setFound, () => setFound([]))
  }, [isWanted, count])
  return found
}
