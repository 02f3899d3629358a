import { systemClock, type Clock } from './clock.ts'

const offsets = new WeakMap<Clock, number>()

/** Milliseconds since the epoch: of this machine, or as far from when it was first asked as a clock of one's own went. */
export function epochMs(clock: Clock): number {
  if (clock === systemClock) return Date.now()
  const offset = offsets.get(clock) ?? Date.now() - clock.now()
  offsets.set(clock, offset)
  return Math.floor(offset + clock.now())
}
