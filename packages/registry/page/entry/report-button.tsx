import { Button, Group, Modal, Select, Textarea } from '@mantine/core'
import type { Problem } from '@parley/page/channel'
import { announce, Note, ProblemNote, showHidden } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import { ask, askProblemOf } from '../ask.ts'
import type { Entry } from '../read-entry.ts'

const kinds = [
  { value: 'malware', label: 'It does harm' },
  { value: 'impersonation', label: 'It pretends to be another server' },
  { value: 'spam', label: 'It is spam' },
  { value: 'broken', label: 'It does not work' },
  { value: 'other', label: 'Something else' },
]

/** Tells the moderators that something is wrong. */
export function ReportButton({ entry }: { readonly entry: Entry }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="compact-xs" onClick={() => setIsOpen(true)}>
        Report
      </Button>
      {isOpen && <ReportDialog entry={entry} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function ReportDialog(props: {
  readonly entry: Entry
  readonly onClose: () => void
}): ReactElement {
  const { entry, onClose } = props
  const { name, version } = entry
  const [kind, setKind] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [state, setState] = useState<{ isBusy: boolean; isDone?: boolean; problem?: Problem }>({
    isBusy: false,
  })

  async function report(event: FormEvent): Promise<void> {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      await ask('x/report', { body: { name, version, kind, text: text.trim() } })
      announce('The moderators were told.')
      setState({ isBusy: false, isDone: true })
    } catch (error) {
      setState({ isBusy: false, problem: askProblemOf(error) })
    }
  }

  return (
    <Modal opened onClose={onClose} title={`Report ${showHidden(name)}`}>
      <form className="stack" onSubmit={(event) => void report(event)}>
        {state.isDone === true ? (
          <Note tone="good" title="Thank you">
            The moderators of this registry were told.
          </Note>
        ) : (
          <>
            <Select
              label="What is wrong"
              placeholder="Pick one"
              value={kind}
              data={kinds}
              required
              data-autofocus
              onChange={setKind}
            />
            <Textarea
              label="Details"
              description="For the moderators only."
              value={text}
              maxLength={1_000}
              autosize
              minRows={3}
              maxRows={8}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </>
        )}
        {state.problem !== undefined && (
          <ProblemNote problem={state.problem} title="It was not reported" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {state.isDone === true ? 'Close' : 'Cancel'}
          </Button>
          {state.isDone !== true && (
            <Button type="submit" loading={state.isBusy} disabled={kind === null}>
              Report
            </Button>
          )}
        </Group>
      </form>
    </Modal>
  )
}
