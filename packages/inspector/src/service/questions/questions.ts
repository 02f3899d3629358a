import { pathToFileURL } from 'node:url'

import { issuesOf } from '@parley/foundation/forms'
import {
  RpcError,
  type CreateMessageResult,
  type ElicitResult,
  type ElicitURLResult,
  type JsonObject,
  type JsonValue,
  type Root,
} from '@parley/mcp'
import type { InputContext, ConnectOptions } from '@parley/mcp/client'

import type { Answer, QuestionView, Rule } from '../../protocol/index.ts'
import type { Emit, Handlers } from '../handlers.ts'
import { ProblemError } from '../problem.ts'
import type { ServerRecord } from '../servers/server-hold.ts'
import { createThrottle } from '../throttle.ts'
import type { Logs } from '../trace/logs.ts'
import { fillTemplates, matchingRule } from './rules.ts'

/** What servers ask, and how it is answered: by a person, by rule, by a model. */
export interface Questions {
  readonly handlers: Handlers<'questions/answer' | 'rules/save'>
  readonly views: readonly QuestionView[]
  rules: readonly Rule[]
  /** The handlers a client of this server is connected with, by what its settings offer. */
  optionsFor(
    record: ServerRecord,
  ): Pick<ConnectOptions, 'elicit' | 'elicitModes' | 'sample' | 'sampling' | 'roots'>
}

export interface QuestionsContext {
  readonly emit: Emit
  readonly logs: Logs
  /** Asks the configured model; throws a problem where there is none. */
  readonly askModel: (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>
  readonly onRules: () => void
}

interface Open {
  view: QuestionView
  readonly answer: (answer: Answer) => void
}

const maxStored = 200
const maxOpen = 100

export function createInputRequests({
  emit,
  logs,
  askModel,
  onRules,
}: QuestionsContext): Questions {
  const all = new Map<string, QuestionView>()
  const open = new Map<string, Open>()
  const notifying = createThrottle(20, () =>
    emit('questions/changed', { questions: [...all.values()] }),
  )
  let rules: readonly Rule[] = []
  let count = 0

  function show(view: QuestionView): void {
    all.set(view.id, view)
    for (const [id, { state }] of all) {
      if (all.size <= maxStored) break
      if (state !== 'open') all.delete(id)
    }
    notifying.ask()
  }

  /** Resolves with how it was answered, or rejects when it is void. */
  async function ask(
    kind: QuestionView['kind'],
    record: ServerRecord,
    params: JsonObject,
    about: Partial<InputContext>,
  ): Promise<Answer> {
    const id = `question-${(count += 1)}`
    const { operation, name, taskId, signal } = about
    const round = roundOf(record, about)
    const view: QuestionView = {
      id,
      server: record.name,
      kind,
      params,
      at: Date.now(),
      state: 'open',
      ...(operation !== undefined && { operation }),
      ...(name !== undefined && { name }),
      ...(round !== undefined && { round }),
      ...(taskId !== undefined && { taskId }),
    }
    const rule = matchingRule(rules, view)
    const ruled = rule && fillTemplates(rule.answer, view)
    // An answer that does not fit would not be sent: then it is for a person.
    if (rule && ruled && misfitOf(view, ruled) === undefined) {
      show({ ...view, rule: rule.id, state: 'answered' })
      decided(record, view, rule.answer.action, `rule ${rule.id}`)
      return ruled
    }
    if (open.size >= maxOpen)
      throw new RpcError('overloaded', 'too many requests are waiting for an answer')
    return new Promise<Answer>((resolve, reject) => {
      const end = (state: QuestionView['state']) => {
        open.delete(id)
        signal?.removeEventListener('abort', abort)
        show({ ...view, state })
      }
      const abort = (): void => {
        end('void')
        decided(record, view, 'void', 'the end of what it belonged to')
        reject(signal?.reason)
      }
      open.set(id, {
        view,
        answer(decision) {
          end('answered')
          decided(record, view, decision.action, 'the user')
          resolve(decision)
        },
      })
      signal?.addEventListener('abort', abort, { once: true })
      show(view)
      if (signal?.aborted) abort()
    })
  }

  async function elicit(
    record: ServerRecord,
    request: JsonObject,
    about: InputContext,
  ): Promise<ElicitResult | ElicitURLResult> {
    const answer = await ask('elicitation', record, request, about)
    if (answer.action === 'accept') {
      if (request['mode'] === 'url') return { action: 'accept' }
      return { action: 'accept', content: answer.content ?? {} } // held against the schema by the client
    }
    if (answer.action === 'decline' || answer.action === 'cancel') return { action: answer.action }
    throw new TypeError(`an elicitation cannot be answered with ${answer.action}`)
  }

  async function sample(
    record: ServerRecord,
    params: JsonObject,
    about: InputContext,
  ): Promise<CreateMessageResult> {
    const answer = await ask('sampling', record, params, about)
    switch (answer.action) {
      case 'reply':
        return answer.result as unknown as CreateMessageResult // checked by the client
      case 'model':
        return (await askModel(params, about.signal)) as unknown as CreateMessageResult // the same
      case 'accept':
        return answer.content as CreateMessageResult // the same
      case 'decline':
      case 'cancel':
        throw new RpcError('input_refused', 'the user refused the sampling request')
    }
  }

  /** By rule, else at once as the settings say; a person is asked only where the settings want that. */
  async function roots(record: ServerRecord, about: InputContext): Promise<readonly Root[]> {
    const { settings, name: server } = record
    const view = { server, kind: 'roots', params: {}, at: Date.now() } as const
    const isRuled = matchingRule(rules, { id: '', state: 'open', ...view }) !== undefined
    if (!settings.askForRoots && !isRuled) {
      const id = `question-${(count += 1)}`
      show({ id, ...view, rule: 'settings', state: 'answered' })
      decided(record, { id, ...view, state: 'answered' }, 'accept', 'the settings')
      logs.add({ server, from: 'inspector', level: 'info', data: toldRoots(settings.roots) })
      return settings.roots.map((path) => ({ uri: toUri(path) }))
    }
    const answer = await ask('roots', record, {}, about)
    if (answer.action !== 'accept')
      throw new RpcError('input_refused', 'the user does not share roots')
    return (answer.content as { readonly roots: readonly Root[] }).roots // checked by the client
  }

  return {
    get views() {
      return [...all.values()]
    },
    get rules() {
      return rules
    },
    set rules(next) {
      rules = next
    },
    optionsFor(record) {
      const { offers } = record.settings
      const modes = [
        ...(offers.elicitForm ? (['form'] as const) : []),
        ...(offers.elicitUrl ? (['url'] as const) : []),
      ]
      return {
        ...(modes.length > 0 && {
          elicitModes: modes,
          elicit: (request, about) => elicit(record, request as unknown as JsonObject, about), // it came as JSON
        }),
        ...(offers.sampling && {
          sampling: { tools: true, context: true },
          sample: (params, about) => sample(record, params as unknown as JsonObject, about), // the same
        }),
        ...(offers.roots && { roots: (about) => roots(record, about) }),
      }
    },
    handlers: {
      'questions/answer'({ id, answer }) {
        const found = open.get(id)
        if (found === undefined) {
          throw new ProblemError('question_over', 'that request no longer needs an answer', {
            hint: 'Its call has ended, or it has already been answered.',
          })
        }
        requireFitting(found.view.kind, answer)
        const misfit = misfitOf(found.view, answer)
        if (misfit !== undefined) {
          throw new ProblemError('misfit', `the answer does not match the form: ${misfit}`, {
            hint: 'Nothing was sent; the request is still open.',
          })
        }
        found.answer(answer)
        return {}
      },
      'rules/save'({ rules: next }) {
        for (const { kind, answer } of next) requireFitting(kind, answer)
        rules = next
        onRules()
        return rules
      },
    },
  }
}

function toldRoots({ length }: readonly string[]): string {
  if (length === 0) return 'asked for roots, and got none: add them in Settings'
  return `asked for roots, and was told the ${length === 1 ? 'one' : length} of its settings`
}

/** Who answered what, and how; what was said is in the messages. */
function decided(
  { tap }: ServerRecord,
  { id, kind, name }: QuestionView,
  how: string,
  by: string,
): void {
  const details = { question: id, kind, how, by, ...(name !== undefined && { name }) }
  tap.add({ kind: 'decision', text: `${kind}: ${how}, by ${by}`, details })
}

/** Questions of one call belong together. */
function roundOf(
  { name: server }: ServerRecord,
  { operation, name }: Partial<InputContext>,
): string | undefined {
  return operation === undefined ? undefined : [server, operation, name ?? ''].join(' ')
}

function requireFitting(kind: QuestionView['kind'], { action }: Answer): void {
  const isForModels = action === 'reply' || action === 'model'
  if (!isForModels || kind === 'sampling') return
  throw new ProblemError('unfitting_answer', `${kind} cannot be answered with ${action}`, {
    hint: 'Accept, decline or cancel it.',
  })
}

/** What is wrong with the content of a form; a client must not send it. */
function misfitOf({ kind, params }: QuestionView, answer: Answer): string | undefined {
  if (kind !== 'elicitation' || answer.action !== 'accept' || params['mode'] === 'url')
    return undefined
  const [issue] = issuesOf(params['requestedSchema'], (answer.content ?? {}) as JsonValue).issues // came as JSON
  return issue && `${issue.pointer === '' ? 'it' : issue.pointer} ${issue.message}`
}

function toUri(path: string): string {
  return path.startsWith('file:') ? path : pathToFileURL(path).href
}
