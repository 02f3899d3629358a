/** The party that a call waited for: the server, our program, a person, the network; or the trace does not tell. */
export type PathWho = 'server' | 'client' | 'person' | 'network' | 'unknown'

/** A part of a call's time, and its use. */
export interface PathSegment {
  /** Milliseconds since the trace began. */
  readonly from: number
  /** Milliseconds since the trace began. */
  readonly to: number
  /** In words, such as `elicitation/create: a person answers`. */
  readonly what: string
  /** The party that the call waited for. */
  readonly who: PathWho
  /** The `seq` of the record it is about: the call itself, a question, a round, an HTTP request. */
  readonly seq: number
}

/** A share of the time as people read it: a little is not nothing, and nearly all is not all. */
export function formatShare(share: number): string {
  if (share <= 0) return '0 %'
  if (share < 0.01) return '<1 %'
  return share > 0.99 && share < 1 ? '>99 %' : `${Math.round(share * 100)} %`
}

/** A claim on a part of the time. Where several hold, the highest level wins, then the one that ends last. */
export interface Span extends PathSegment {
  readonly level: number
}

/** How specific a claim is: what we are asked explains more than that a stream was open meanwhile. */
export const levels = {
  whole: 0,
  task: 1,
  exchange: 2,
  progress: 3,
  http: 4,
  input: 5,
} as const

/** Gives each moment between `from` and `to` to one span: contiguous, and as long as all of it together. */
export function paintSpans(
  spans: readonly Span[],
  from: number,
  to: number,
): readonly PathSegment[] {
  const cut = spans
    .map((span) => ({ ...span, from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter((span) => span.to > span.from)
    .toSorted((a, b) => b.level - a.level || b.to - a.to || a.seq - b.seq)
  const times = [...new Set(cut.flatMap((span) => [span.from, span.to]))].toSorted((a, b) => a - b)
  const indexes = new Map(times.map((time, index) => [time, index]))
  const owners: (Span | undefined)[] = times.map(() => undefined)
  // Where the next moment without an owner may be; steps over what is taken stay short.
  const next = Uint32Array.from({ length: times.length + 1 }, (_, index) => index)
  const free = (index: number): number => {
    let at = index
    while (next[at] !== at) {
      next[at] = next[next[at] ?? at] ?? at
      at = next[at] ?? at
    }
    return at
  }
  for (const span of cut) {
    const end = indexes.get(span.to) ?? 0
    for (let at = free(indexes.get(span.from) ?? 0); at < end; at = free(at)) {
      owners[at] = span
      next[at] = at + 1
    }
  }
  return joined(owners, times)
}

function joined(
  owners: readonly (Span | undefined)[],
  times: readonly number[],
): readonly PathSegment[] {
  const segments: PathSegment[] = []
  for (let start = 0; start < times.length - 1;) {
    const owner = owners[start]
    let end = start + 1
    while (end < times.length - 1 && owners[end] === owner) end += 1
    const [from = 0, to = 0] = [times[start], times[end]]
    if (owner) {
      const { what, who, seq } = owner
      segments.push({ from, to, what, who, seq })
    }
    start = end
  }
  return segments
}
