import { create } from 'zustand'

import type { Collection, CollectionRun, SavedRequest } from '../../src/protocol/index.ts'
import { announce } from '../announce.ts'
import { openChannel } from '../channel.ts'
import { showProblem } from '../parts/problem.tsx'
import { useStore } from '../store.ts'

/** Runs of this session, newest first, and which collection is running. */
export const useCollectionRuns = create<{
  readonly runs: readonly CollectionRun[]
  readonly running: string | undefined
}>(() => ({ runs: [], running: undefined }))

const maximumRuns = 50

/** Saves a collection; one of the same name is replaced. */
export async function saveCollection(collection: Collection): Promise<boolean> {
  try {
    const collections = await openChannel().ask('collections/save', collection)
    useStore.setState({ collections })
    return true
  } catch (error) {
    showProblem(error, `${collection.name} could not be saved`)
    return false
  }
}

/** Forgets a collection. */
export async function removeCollection(name: string): Promise<void> {
  try {
    useStore.setState({ collections: await openChannel().ask('collections/remove', { name }) })
  } catch (error) {
    showProblem(error, `${name} could not be removed`)
  }
}

/** Sends every request of a collection and checks the answers. */
export async function runCollection(name: string): Promise<void> {
  useCollectionRuns.setState({ running: name })
  try {
    const run = await openChannel().ask('collections/run', { name })
    useCollectionRuns.setState(({ runs }) => ({ runs: [run, ...runs].slice(0, maximumRuns) }))
    const failed = run.results.filter(({ passed }) => !passed).length
    announce(failed === 0 ? 'All passed' : `${failed} of ${run.results.length} failed`)
  } catch (error) {
    showProblem(error, `${name} could not be run`)
  } finally {
    useCollectionRuns.setState({ running: undefined })
  }
}

/** A request to start from. */
export function newRequest(server: string): SavedRequest {
  return {
    id: crypto.randomUUID(),
    title: 'New request',
    server,
    method: 'tools/call',
    params: { name: '', arguments: {} },
    assertions: [{ kind: 'succeeds' }],
  }
}
