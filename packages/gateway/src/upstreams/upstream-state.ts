/** Where a server behind the gateway stands. Times are milliseconds since the epoch. */
export type UpstreamState =
  /** It has not answered yet. */
  | {
      readonly state: 'starting'
      /** When it was started. */
      readonly since: number
    }
  | {
      /** It answers. */
      readonly state: 'ready'
      /** Since when it answers. */
      readonly since: number
    }
  /** It was lost just now, and is being opened again; what it offered is still listed. */
  | {
      readonly state: 'degraded'
      /** When it was lost. */
      readonly since: number
      /** Why, for people. */
      readonly cause: string
    }
  /** It could not be opened, and is tried again at `nextAt`. */
  | {
      readonly state: 'backing-off'
      /** When it was lost, or first tried. */
      readonly since: number
      /** Why the last attempt failed, for people. */
      readonly cause: string
      /** How many attempts have failed in a row. */
      readonly attempt: number
      /** When it is tried again. */
      readonly nextAt: number
    }
  /** It cannot work as it is configured, or has failed many times in a row; nothing of it is listed any more. */
  | {
      readonly state: 'failed'
      /** When it was given up. */
      readonly since: number
      /** Why the last attempt failed, for people. */
      readonly cause: string
      /** How many attempts have failed in a row. */
      readonly attempt: number
      /** When it is tried again. */
      readonly nextAt: number
    }
  | {
      /** It is switched off, by the configuration or by whoever runs the gateway. */
      readonly state: 'disabled'
      /** When it was switched off. */
      readonly since: number
    }

/** Failures in a row after which a server counts as failed. */
export const maxAttempts = 8

/** Why a call to it is refused now; undefined if it may be tried. */
export function rejectionOf(name: string, state: UpstreamState, now: number): string | undefined {
  const server = `the server ${JSON.stringify(name)}`
  switch (state.state) {
    case 'backing-off':
    case 'failed':
      return `${server} cannot be used now: ${state.cause.replace(/\.$/, '')}. It is tried again in ${seconds(state.nextAt - now)}.`
    case 'disabled':
      return `${server} is switched off: by its configuration or by the operator.`
    case 'starting':
    case 'ready':
    case 'degraded':
      return undefined
  }
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1_000))} s`
}
