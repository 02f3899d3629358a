/** What a stub endpoint answers to one request, in the words of no provider. */
export interface EndpointAnswer {
  /** Several pieces are several events. */
  readonly text?: string | readonly string[] | undefined
  readonly reasoning?: string | undefined
  readonly calls?: readonly EndpointCall[] | undefined
  /** In how many pieces the arguments of a call come. @defaultValue 3 */
  readonly fragments?: number | undefined
  /** The answer begins when this has resolved. */
  readonly waitFor?: Promise<unknown> | (() => Promise<unknown>) | undefined
  /** The rest comes when this has resolved: after the first event with content. */
  readonly pauseUntil?: Promise<unknown> | (() => Promise<unknown>) | undefined
  /** `connection`: it breaks before the end. `end`: the stream ends as if all was said, but nothing says so. */
  readonly cut?: 'connection' | 'end' | undefined
  /** An error event instead of the end. */
  readonly errorInStream?: string | undefined
  readonly finish?: 'stop' | 'length' | 'calls' | 'filter' | undefined
  /** @defaultValue 12 in, 7 out */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined
}

export interface EndpointCall {
  readonly name: string
  readonly arguments?: object | undefined
  /** Instead of `arguments`: anything. */
  readonly argumentsText?: string | undefined
  readonly id?: string | undefined
}

/** One event of a stream. */
export interface Frame {
  readonly event?: string
  /** Text as it is, anything else as JSON. */
  readonly data: unknown
  /** Left out of an answer that is cut. */
  readonly isEnd?: boolean
  /** The first of these is where an answer pauses. */
  readonly hasContent?: boolean
}

/** How one provider says an answer. */
export interface Wire {
  readonly frames: (answer: EndpointAnswer, request: WireRequest) => readonly Frame[]
  /** The whole answer at once, for requests without `stream`. */
  readonly body: (answer: EndpointAnswer, request: WireRequest) => object
  readonly error: (status: number, message: string) => object
  /** The event for an error in mid-stream. */
  readonly errorFrame: (message: string) => Frame
  /** What the provider would refuse this request for. */
  readonly problem: (body: WireBody) => string | undefined
}

export interface WireRequest {
  readonly model: string
  /** 0 for the first one. */
  readonly index: number
}

export type WireBody = { readonly [name: string]: unknown }

export function piecesOf(text: EndpointAnswer['text']): readonly string[] {
  return typeof text === 'string' ? [text] : (text ?? [])
}

export function textOf(answer: EndpointAnswer): string {
  return piecesOf(answer.text).join('')
}

export interface NumberedCall {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly pieces: readonly string[]
}

/** The calls of an answer with their ids and what the model wrote for arguments, whole and in pieces. */
export function callsOf(answer: EndpointAnswer, { index }: WireRequest): readonly NumberedCall[] {
  return (answer.calls ?? []).map((call, position) => {
    const text = call.argumentsText ?? JSON.stringify(call.arguments ?? {})
    const size = Math.max(1, Math.ceil(text.length / (answer.fragments ?? 3)))
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    return { id: call.id ?? `call_${index}_${position}`, name: call.name, text, pieces }
  })
}

export function finishOf(answer: EndpointAnswer): 'stop' | 'length' | 'calls' | 'filter' {
  return answer.finish ?? ((answer.calls ?? []).length > 0 ? 'calls' : 'stop')
}

export function usageOf(answer: EndpointAnswer) {
  return answer.usage ?? { inputTokens: 12, outputTokens: 7 }
}

/** Lists in a body that a caller wrote. */
export function listOf(value: unknown): readonly WireBody[] {
  return Array.isArray(value) ? (value as readonly WireBody[]) : [] // its members are looked at, not trusted
}

export function toolNameProblem(names: readonly unknown[]): string | undefined {
  const bad = names.find((name) => typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
  if (bad !== undefined) return `invalid tool name: ${JSON.stringify(bad)}`
  return new Set(names).size === names.length ? undefined : 'tool names must be unique'
}

/** What stands in the history of calls has to be an object again. */
export function argumentsProblem(text: unknown): string | undefined {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined
  } catch {
    // said below
  }
  return `arguments of a call must be a JSON object in a string, not ${JSON.stringify(text)}`
}
