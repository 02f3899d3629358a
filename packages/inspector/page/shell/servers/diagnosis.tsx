import { Button, Group, Loader, Modal } from '@mantine/core'
import { Icon, type IconName } from '@parley/page/icons'
import { ProblemNote, problemOf, type Tone } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { DiagnosisStep, ServerView } from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { useStore } from '../../store.ts'
import { closeDialog, openDialog } from '../../view.ts'

/** Opens the diagnosis of a server, where this inspector can make one. */
export function DiagnoseButton({ server }: { readonly server: ServerView }): ReactElement | null {
  const mayDiagnose = useStore((store) => store.may.diagnose)
  if (!mayDiagnose || server.state === 'blocked') return null
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => openDialog({ kind: 'diagnosis', server: server.name })}
    >
      Diagnose
    </Button>
  )
}

const looks: Readonly<
  Record<DiagnosisStep['state'], { readonly icon: IconName; readonly tone: Tone; word: string }>
> = {
  good: { icon: 'check', tone: 'good', word: 'Good' },
  warning: { icon: 'alert', tone: 'warning', word: 'Warning' },
  bad: { icon: 'cross', tone: 'bad', word: 'Fault' },
  skipped: { icon: 'circle', tone: 'plain', word: 'Skipped' },
}

/** Walks to a server as `parley doctor` does, and shows each step. */
export function DiagnosisDialog({ server }: { readonly server: ServerView }): ReactElement {
  const { name, entry } = server
  const [round, setRound] = useState(0)
  const [steps, setSteps] = useState<readonly DiagnosisStep[]>()
  const [error, setError] = useState<unknown>()

  useEffect(() => {
    let isCurrent = true
    setSteps(undefined)
    setError(undefined)
    openChannel()
      .ask('servers/diagnose', { name })
      .then(
        (found) => isCurrent && setSteps(found),
        (problem: unknown) => isCurrent && setError(problem),
      )
    return () => {
      isCurrent = false
    }
  }, [name, round])

  const problemCount = steps?.filter(({ state }) => state === 'bad').length ?? 0
  return (
    <Modal opened onClose={closeDialog} title={`Diagnosis of ${name}`} size="lg">
      <div className="stack" role="status">
        {steps === undefined && error === undefined && (
          <div className="row quiet">
            <Loader size={14} />
            {'command' in entry ? 'The command is started again and tested…' : 'Looking…'}
          </div>
        )}
        {error !== undefined && (
          <ProblemNote problem={problemOf(error)} title="The diagnosis failed" />
        )}
        {steps && (
          <>
            <strong>
              {problemCount === 0
                ? 'No problems found.'
                : `${problemCount} ${problemCount === 1 ? 'problem' : 'problems'} found.`}
            </strong>
            <ol className="diagnosis">
              {steps.map(({ title, state, seen, fix }) => (
                <li key={`${title} ${seen}`} data-tone={looks[state].tone}>
                  <Icon name={looks[state].icon} size={15} />
                  <div className="grow">
                    <span className="visually-hidden">{looks[state].word}: </span>
                    <strong>{title}</strong> <span className="wrap">{seen}</span>
                    {fix !== undefined && <div className="hint wrap">{fix}</div>}
                  </div>
                </li>
              ))}
            </ol>
          </>
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={steps === undefined && error === undefined}
            onClick={() => setRound(round + 1)}
          >
            Again
          </Button>
          <Button onClick={closeDialog} data-autofocus>
            Close
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
