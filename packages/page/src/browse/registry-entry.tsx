import { Button, Group, Loader, Select, TextInput } from '@mantine/core'
import type { CatalogueEntry, CatalogueItem } from '@parley/foundation/catalogue'
import type { Problem } from '@parley/foundation/channel'
import { showHidden } from '@parley/foundation/text-safety'
import { useEffect, useState, type ReactElement } from 'react'

import { BackButton } from '../parts/back-button.tsx'
import { Note, ProblemNote, problemOf } from '../parts/problem.tsx'
import { AnswerField } from './answer-field.tsx'
import type {
  BrowseRegistryProps,
  BrowseSource,
  RegistryChoice,
  RegistryReview,
} from './browse-source.ts'
import { freeName } from './free-name.ts'
import { ItemTags } from './item-tags.tsx'

interface RegistryEntryProps extends BrowseRegistryProps {
  readonly item: CatalogueItem
  readonly registry: string | undefined
  readonly onBack: () => void
}

/** One entry of a registry: the ways to use it, what it asks, and the name it gets here. */
export function RegistryEntry(props: RegistryEntryProps): ReactElement {
  const { item, registry, onBack, source, taken, whyNotStart, labels } = props
  const { entry, problem } = useEntry(source, item, registry)
  const [title, setTitle] = useState<string>()
  const [name, setName] = useState('')
  const [answers, setAnswers] = useState<{ readonly [id: string]: string }>({})
  const [review, setReview] = useState<RegistryReview>()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })

  const plans = entry?.plans.filter(({ kind }) => kind === 'url' || whyNotStart === undefined) ?? []
  const plan = plans.find((candidate) => candidate.title === title) ?? plans[0]
  const suggested = freeName(nameOf(item.name), taken)
  const chosen = name.trim() || suggested
  const isUsed = taken.has(chosen)
  const isCompleted = plan?.questions.every(
    ({ id, isRequired, default: preset }) => !isRequired || Boolean(answers[id] || preset),
  )

  /** What was agreed to is another thing once something is changed. */
  function change(make: () => void): void {
    setReview(undefined)
    make()
  }

  async function resume(choice: RegistryChoice): Promise<void> {
    setState({ isBusy: true })
    try {
      if (source.review !== undefined && review === undefined) {
        setReview(await source.review(choice))
        setState({ isBusy: false })
      } else {
        await source.add({ ...choice, ...(review && { shown: review.shown }) })
      }
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  function submit(): void {
    if (plan === undefined) return
    const entries = plan.questions.flatMap(({ id }) =>
      answers[id] ? [[id, answers[id]] as const] : [],
    )
    void resume({
      name: item.name,
      version: entry?.item.version ?? item.version,
      plan: plan.title,
      answers: Object.fromEntries(entries),
      as: chosen,
      ...(registry !== undefined && { registry }),
    })
  }

  return (
    <div className="stack" role="group" aria-label={showHidden(item.name)}>
      <BackButton label="All results" onClick={onBack} />
      <div className="row wrap-row">
        <strong className="wrap">{showHidden(item.title ?? item.name)}</strong>
        <span className="mono quiet wrap">
          {showHidden(item.name)} {showHidden(item.version)}
        </span>
        <ItemTags item={item} />
      </div>
      <p className="wrap">{showHidden(item.description)}</p>
      {item.status !== 'active' && (
        <Note tone="warning" title={`This version is ${showHidden(item.status)}`}>
          {item.statusMessage === undefined ? undefined : showHidden(item.statusMessage)}
        </Note>
      )}
      {entry === undefined && problem === undefined && <Loader size={16} />}
      {problem !== undefined && <ProblemNote problem={problem} title="It could not be read" />}
      {entry !== undefined && plan === undefined && (
        <Note tone="info" title="Nothing to add">
          {entry.plans.length === 0
            ? 'It offers nothing that can be started or reached from here.'
            : whyNotStart}
        </Note>
      )}
      {entry?.refused?.map(({ title: rejected, reasons }) => (
        <Note
          key={`${rejected} ${reasons.join(' ')}`}
          tone="warning"
          title={`Not offered: ${showHidden(rejected)}`}
        >
          {reasons.map((reason) => (
            <p key={reason} className="wrap">
              {showHidden(reason)}
            </p>
          ))}
        </Note>
      ))}
      {plan !== undefined && (
        <>
          {plans.length > 1 && (
            <Select
              label="How to use it"
              value={plan.title}
              data={plans.map((element) => ({
                value: element.title,
                label: showHidden(element.title),
              }))}
              onChange={(value) => change(() => setTitle(value ?? undefined))}
              allowDeselect={false}
            />
          )}
          {plans.length === 1 && <code className="mono wrap">{showHidden(plan.title)}</code>}
          {plan.origin !== undefined && (
            <p className="quiet wrap">Comes from {showHidden(plan.origin)}.</p>
          )}
          {plan.questions.map((question) => (
            <AnswerField
              key={question.id}
              question={question}
              value={answers[question.id] ?? ''}
              onChange={(value) => change(() => setAnswers({ ...answers, [question.id]: value }))}
            />
          ))}
          <TextInput
            label="Name"
            placeholder={suggested}
            value={name}
            onChange={({ currentTarget: { value } }) => change(() => setName(value))}
            error={isUsed && `There is a server named ${chosen} already`}
          />
        </>
      )}
      {review !== undefined && plan !== undefined && <Reviewed kind={plan.kind} review={review} />}
      {state.error !== undefined && (
        <ProblemNote problem={problemOf(state.error)} title="It was not added" />
      )}
      <Group justify="flex-end">
        <Button
          data-run
          disabled={plan === undefined || isUsed || isCompleted !== true}
          loading={state.isBusy}
          onClick={submit}
        >
          {source.review !== undefined && review === undefined
            ? 'Review'
            : labels[plan?.kind ?? 'command']}
        </Button>
      </Group>
    </div>
  )
}

/** Exactly what was asked for, before it is done. */
function Reviewed(props: {
  readonly kind: 'command' | 'url'
  readonly review: RegistryReview
}): ReactElement {
  const { kind, review } = props
  const title =
    kind === 'command'
      ? 'This starts a program on your machine with your permissions'
      : 'This connects to an address'
  return (
    <Note tone="warning" title={title}>
      <p>
        <code className="mono wrap">{showHidden(review.shown)}</code>
      </p>
      <p className="wrap">It is added to {showHidden(review.file)}.</p>
    </Note>
  )
}

/** The version that was picked, with what it asks. */
function useEntry(source: BrowseSource, item: CatalogueItem, registry: string | undefined) {
  const { name, version } = item
  const [state, setState] = useState<{ entry?: CatalogueEntry; problem?: Problem }>({})
  useEffect(() => {
    let isOver = false
    source.read({ name, version, ...(registry !== undefined && { registry }) }).then(
      (entry) => !isOver && setState({ entry }),
      (error: unknown) => !isOver && setState({ problem: problemOf(error) }),
    )
    return () => {
      isOver = true
    }
  }, [source, name, version, registry])
  return state
}

/** The part behind the slash, as a name of a server. */
function nameOf(name: string): string {
  return name.slice(name.indexOf('/') + 1).replaceAll(/[^\w-]+/g, '-')
}
