import { Button, Group, Loader, PasswordInput, Select, TextInput } from '@mantine/core'
import { BackButton, Note, ProblemNote, problemOf, showHidden } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type {
  CatalogueEntry,
  CatalogueItem,
  CatalogueQuestion,
  Problem,
} from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { useStore } from '../../store.ts'
import { freeName } from './free-name.ts'
import { ItemTags } from './item-tags.tsx'
import { takeAdded } from './server-actions.ts'

export interface RegistryEntryProps {
  readonly item: CatalogueItem
  readonly registry: string | undefined
  readonly onBack: () => void
}

/** One entry of a registry: the ways to use it, what it asks, and the name it gets here. */
export function RegistryEntry({ item, registry, onBack }: RegistryEntryProps): ReactElement {
  const servers = useStore((store) => store.servers)
  const may = useStore((store) => store.may)
  const { entry, problem } = useEntry(item, registry)
  const [title, setTitle] = useState<string>()
  const [name, setName] = useState('')
  const [answers, setAnswers] = useState<{ readonly [id: string]: string }>({})
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })

  const plans = entry?.plans.filter(({ kind }) => kind === 'url' || may.spawn) ?? []
  const plan = plans.find((one) => one.title === title) ?? plans[0]
  const taken = new Set(servers.map((server) => server.name))
  const suggested = freeName(nameOf(item.name), taken)
  const chosen = name.trim() || suggested
  const isTaken = taken.has(chosen)
  const isAnswered = plan?.questions.every(
    ({ id, isRequired, default: preset }) => !isRequired || Boolean(answers[id] || preset),
  )

  async function add() {
    if (plan === undefined) return
    setState({ isBusy: true })
    try {
      const { version } = entry?.item ?? item
      const given = Object.fromEntries(
        plan.questions.flatMap(({ id }) => (answers[id] ? [[id, answers[id]] as const] : [])),
      )
      takeAdded(
        await openChannel().ask('catalogue/add', {
          name: item.name,
          version,
          plan: plan.title,
          answers: given,
          as: chosen,
          ...(registry !== undefined && { registry }),
        }),
      )
    } catch (error) {
      setState({ isBusy: false, error })
    }
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
            : 'It has to be started, and the inspector was started with --no-spawn.'}
        </Note>
      )}
      {plan !== undefined && (
        <>
          {plans.length > 1 && (
            <Select
              label="How to use it"
              value={plan.title}
              data={plans.map((one) => ({ value: one.title, label: showHidden(one.title) }))}
              onChange={(value) => setTitle(value ?? undefined)}
              allowDeselect={false}
            />
          )}
          {plans.length === 1 && <code className="mono wrap">{showHidden(plan.title)}</code>}
          {plan.questions.map((question) => (
            <Answer
              key={question.id}
              question={question}
              value={answers[question.id] ?? ''}
              onChange={(value) => setAnswers({ ...answers, [question.id]: value })}
            />
          ))}
          <TextInput
            label="Name"
            placeholder={suggested}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={isTaken && `There is a server named ${chosen} already`}
          />
        </>
      )}
      {state.error !== undefined && (
        <ProblemNote problem={problemOf(state.error)} title="It was not added" />
      )}
      <Group justify="flex-end">
        <Button
          data-run
          disabled={plan === undefined || isTaken || isAnswered !== true}
          loading={state.isBusy}
          onClick={() => void add()}
        >
          {plan?.kind === 'url' ? 'Add and connect' : 'Review command'}
        </Button>
      </Group>
    </div>
  )
}

function Answer(props: {
  readonly question: CatalogueQuestion
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement {
  const { question, value, onChange } = props
  const { id, description, isRequired, isSecret, placeholder, choices, default: preset } = question
  const shared = {
    label: showHidden(id),
    description: description === undefined ? undefined : showHidden(description),
    placeholder: showHidden(preset ?? placeholder ?? ''),
    required: isRequired && preset === undefined,
  }
  const options = choices ?? (question.format === 'boolean' ? ['true', 'false'] : undefined)
  if (options !== undefined) {
    return (
      <Select
        {...shared}
        value={value === '' ? null : value}
        data={[...new Set(options)].map((one) => ({ value: one, label: showHidden(one) }))}
        clearable={!isRequired}
        onChange={(picked) => onChange(picked ?? '')}
      />
    )
  }
  const Input = isSecret ? PasswordInput : TextInput
  return (
    <Input
      {...shared}
      value={value}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The version that was picked, with what it asks. */
function useEntry(item: CatalogueItem, registry: string | undefined) {
  const { name, version } = item
  const [state, setState] = useState<{ entry?: CatalogueEntry; problem?: Problem }>({})
  useEffect(() => {
    let isOver = false
    openChannel()
      .ask('catalogue/read', { name, version, ...(registry !== undefined && { registry }) })
      .then(
        (entry) => !isOver && setState({ entry }),
        (error: unknown) => !isOver && setState({ problem: problemOf(error) }),
      )
    return () => {
      isOver = true
    }
  }, [name, version, registry])
  return state
}

/** The part behind the slash, as a name for the rail. */
function nameOf(name: string): string {
  return name.slice(name.indexOf('/') + 1).replaceAll(/[^\w-]+/g, '-')
}
