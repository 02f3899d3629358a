/**
 * Spans and metrics for the turns of a host and its requests to models, by the conventions of OpenTelemetry for generative AI. It has
 * the methods of `HostObserver` of `@parley/host`, which this package does not import.
 */

import {
  type Attributes,
  type Meter,
  context,
  SpanKind,
  SpanStatusCode,
  type Span,
  type Tracer,
} from '@opentelemetry/api'

import { exceptionOf, maxMessageLength, endingOf } from './outcome.ts'
import { withoutCredentials } from './secrets.ts'
import { SpanScope } from './span-scope.ts'

/** The instruments for requests to models. */
export interface ModelMetrics {
  /** A request has ended; `type` says how, if it failed. */
  ended(
    attributes: Attributes,
    seconds: number,
    ending: Pick<ModelEnding, 'inputTokens' | 'outputTokens'>,
    type: string | undefined,
  ): void
}

function createModelMetrics(meter: Meter): ModelMetrics {
  const durations = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'How long requests to models take',
    advice: { explicitBucketBoundaries: powers(2, 14).map((power) => power / 100) },
  })
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens that models read and write',
    advice: { explicitBucketBoundaries: powers(4, 14) },
  })
  return {
    ended(attributes, seconds, { inputTokens, outputTokens }, type) {
      durations.record(
        seconds,
        type === undefined ? attributes : { ...attributes, 'error.type': type },
      )
      if (inputTokens !== undefined) {
        tokens.record(inputTokens, { ...attributes, 'gen_ai.token.type': 'input' })
      }
      if (outputTokens !== undefined) {
        tokens.record(outputTokens, { ...attributes, 'gen_ai.token.type': 'output' })
      }
    },
  }
}

/** Boundaries as the conventions advise: from 1 up, each so many times the one before. */
function powers(base: number, count: number): number[] {
  return Array.from({ length: count }, (_, exponent) => base ** exponent)
}

/** Observes turns of a host and its requests to models; `HostObserver` of `@parley/host` has the same methods. */
export interface HostWatch {
  /** A span named `invoke_agent` for a turn. */
  beginTurn(turn: {
    /** The id of the conversation. */
    readonly conversation: string
    /** The name that people use, such as `openai/gpt-5`. */
    readonly model: string
  }): WatchedWork<TurnEnding>
  /** A span named `chat MODEL` for a request to a model. */
  beginModelRequest(request: {
    /** The name that people use, such as `openai/gpt-5`. */
    readonly model: string
    /** The most tokens that it may write. */
    readonly maxTokens?: number | undefined
    /** How much chance there is in the answer. */
    readonly temperature?: number | undefined
  }): WatchedWork<ModelEnding>
  /** A span named `execute_tool run_code` for a program of the model. */
  beginProgram(program: {
    /** The id of the program. */
    readonly id: string
  }): WatchedWork<ProgramEnding>
}

/** How a program ended. */
export interface ProgramEnding {
  /** `returned`, or why it did not. */
  readonly outcome: string
  /** The number of calls that it made. */
  readonly calls: number
  /** CPU time of the program itself. */
  readonly cpuMs: number
}

/** Observes one turn or one request. */
export interface WatchedWork<Ending> {
  /** Does the work inside of the span. */
  run<T>(work: () => T): T
  /** Ends the span. */
  end(ending: Ending): void
}

/** How a turn ended. */
export interface TurnEnding {
  /** Why, in a word. */
  readonly reason: string
  /** Why, in words. */
  readonly message?: string | undefined
}

/** How a request to a model ended. */
export interface ModelEnding {
  /** Why the answer ended. */
  readonly finish?: string | undefined
  /** Tokens that the model read. */
  readonly inputTokens?: number | undefined
  /** Tokens that the model wrote. */
  readonly outputTokens?: number | undefined
  /** Why there is no answer, or only a part of one. */
  readonly error?: unknown
  /** Nobody waits for the answer any more. */
  readonly isCancelled: boolean
}

export function createHostWatch(tracer: Tracer, meter: Meter): HostWatch {
  const metrics = createModelMetrics(meter)

  return {
    beginTurn({ conversation, model }) {
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        ...modelAttributes(model),
        'gen_ai.conversation.id': conversation,
      }
      return begin(tracer, 'invoke_agent', SpanKind.INTERNAL, attributes, (span, ending) => {
        const { reason, message } = ending
        span.setAttribute('parley.turn.end_reason', reason)
        if (failures.has(reason)) fail(span, reason, message)
      })
    },

    beginProgram({ id }) {
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'run_code',
        'parley.program.id': id,
      }
      const name = 'execute_tool run_code'
      return begin(tracer, name, SpanKind.INTERNAL, attributes, (span, ending: ProgramEnding) => {
        const { outcome, calls, cpuMs } = ending
        span.setAttributes({ 'parley.program.calls': calls, 'parley.program.cpu_ms': cpuMs })
        if (outcome !== 'returned') fail(span, outcome)
      })
    },

    beginModelRequest({ model, maxTokens, temperature }) {
      const common = { 'gen_ai.operation.name': 'chat', ...modelAttributes(model) }
      const attributes = {
        ...common,
        ...(maxTokens !== undefined && { 'gen_ai.request.max_tokens': maxTokens }),
        ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
      }
      const name = `chat ${common['gen_ai.request.model']}`
      const startedAt = performance.now()
      return begin(tracer, name, SpanKind.CLIENT, attributes, (span, ending: ModelEnding) => {
        const type = tellAnswer(span, ending)
        metrics.ended(common, (performance.now() - startedAt) / 1_000, ending, type)
      })
    },
  }
}

function begin<Ending>(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  finish: (span: Span, ending: Ending) => void,
): WatchedWork<Ending> {
  const parent = context.active()
  const span = tracer.startSpan(name, { kind, attributes }, parent)
  const scope = new SpanScope(parent, span)
  return {
    run: (work) => context.with(scope, work),
    end(ending) {
      finish(span, ending)
      span.end()
    },
  }
}

/** Returns `error.type`, if it failed. */
function tellAnswer(span: Span, ending: ModelEnding): string | undefined {
  const { finish, inputTokens, outputTokens, error, isCancelled } = ending
  if (finish !== undefined) {
    span.setAttribute('gen_ai.response.finish_reasons', [finishReasons[finish] ?? finish])
  }
  if (inputTokens !== undefined) span.setAttribute('gen_ai.usage.input_tokens', inputTokens)
  if (outputTokens !== undefined) span.setAttribute('gen_ai.usage.output_tokens', outputTokens)
  if (isCancelled) return fail(span, 'cancelled')
  if (error === undefined) return undefined
  const { type = '_OTHER', message } = endingOf({ kind: 'error', error })
  if (error instanceof Error) span.recordException(exceptionOf(error))
  return fail(span, type, message)
}

function fail(span: Span, type: string, message?: string): string {
  span.setAttribute('error.type', type)
  const shown = message && withoutCredentials(message, maxMessageLength)
  span.setStatus({ code: SpanStatusCode.ERROR, ...(shown && { message: shown }) })
  return type
}

/** Turns that end so have not done what they were asked. */
const failures: ReadonlySet<string> = new Set(['model-error', 'tool-error', 'cancelled'])

/** The names that providers use; the others are the same. */
const finishReasons: { readonly [reason: string]: string } = {
  calls: 'tool_calls',
  filter: 'content_filter',
}

/** A name such as `openai/gpt-5`; without a provider in front nobody knows who that is. */
function modelAttributes(name: string) {
  const [, provider = '_OTHER', model = name] = /^([^/]+)\/(.+)$/.exec(name) ?? []
  return { 'gen_ai.provider.name': provider, 'gen_ai.request.model': model }
}
