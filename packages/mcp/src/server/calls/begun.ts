/** What a handler begins it may await later, or never: that it fails meanwhile must not end the process. */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined) // who awaits it gets the error
  return work
}
