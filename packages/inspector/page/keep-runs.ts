/** The newest, and all that are under way: what cannot be seen cannot be cancelled. */
export function keepRuns<R extends { readonly state: 'running' | 'cancelling' | 'done' }>(
  newestFirst: readonly R[],
  most: number,
): readonly R[] {
  if (newestFirst.length <= most) return newestFirst
  return newestFirst.filter(({ state }, at) => at < most || state !== 'done')
}
