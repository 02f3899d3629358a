import type { Cluster } from './cluster.ts'

/** Services that use a cluster in this process: the last one closes it. */
const users = new WeakMap<Cluster, number>()

/** Starts a cluster for a service, even if it was started before. Disposing closes it when no other service uses it. */
export async function useCluster(cluster: Cluster | undefined): Promise<AsyncDisposable> {
  if (cluster === undefined) return { [Symbol.asyncDispose]: async () => undefined }
  const used = cluster
  users.set(used, (users.get(used) ?? 0) + 1)

  async function release(): Promise<void> {
    const left = (users.get(used) ?? 1) - 1
    users.set(used, left)
    if (left === 0) await used.close()
  }

  try {
    await used.start()
  } catch (error) {
    await release()
    throw error
  }
  return { [Symbol.asyncDispose]: release }
}
