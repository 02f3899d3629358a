import { randomSecret } from '../cluster/cluster-secrets.ts'
import { StoreUnavailable, type ClusterStore } from '../store/cluster-store.ts'

/** Over the channel to the children, and on no command line and in no environment, where others could read it. */
const key = { group: 'processes', id: 'secret' }

/** Makes a secret for the children of this process. */
export async function makeSharedSecret(store: ClusterStore): Promise<void> {
  await store.records.put(key, randomSecret(), 0, Infinity)
}

/** The secret that the parent made. */
export async function sharedSecret(store: ClusterStore): Promise<string> {
  const found = await store.records.get(key)
  if (found === undefined) throw new StoreUnavailable('the parent process has made no secret')
  return found.text
}
