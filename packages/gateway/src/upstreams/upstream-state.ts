/** Where a server behind the gateway stands. Times are milliseconds since the epoch. */
export type UpstreamState =
  /** It has not answered yet. */
  | { readonly state: 'starting'; readonly since: number }
  | { readonly state: 'ready'; readonly since: number }
  /** It was lost just now, and is being opened again; what it offered is still listed. */
  | { readonly state: 'degraded'; readonly since: number; readonly cause: string }
  /** It could not be opened, and is tried again at `nextAt`. */
  | {
      readonly state: 'backing-off'
      readonly since: number
      readonly cause: string
      readonly attempt: number
      readonly nextAt: number
    }
  /** It cannot work as it is configured, or has failed many times in a row; nothing of it is listed any more. */
  | {
      readonly state: 'failed'
      readonly since: number
      readonly cause: string
      readonly attempt: number
      readonly nextAt: number
    }
  | { readonly state: 'disabled'; readonly since: number }

/** Failures in a row after which a server counts as failed. */
export const mostAttempts = 8

/** Why a call to it is refused now; undefined if it may be tried. */
export function refusalOf(name: string, state: UpstreamState, now: number): string | undefined {
  const server = `the server ${JSON.stringify(name)}`
  switch (state.state) {
    case 'backing-off':
    case 'failed':
      return `${server} cannot be used now: ${state.cause.replace(/\.$/, '')}. It is tried again in ${seconds(state.nextAt - now)}.`
    case 'disabled':
      return `${server} is switched off: the configuration of the gateway says so, or whoever runs the gateway has stopped it.`
    case 'starting':
    case 'ready':
    case 'degraded':
      return undefined
  }
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1_000))} s`
}
