export interface Held {
  readonly connections: number
  readonly sockets: number
  readonly children: number
  readonly pipes: number
  readonly timers: number
  readonly heapBytes: number
}

export function findLeaks(options: {
  readonly of?: 'bridge' | 'gateway'
  readonly mode: 'shared' | 'per-session'
  readonly sessions: number
  readonly lanes: number
}): Promise<{
  readonly idle: Held
  readonly before: Held
  readonly peak: Held
  readonly after: Held
}>

export function countsOf(held: Held): Omit<Held, 'heapBytes'>
