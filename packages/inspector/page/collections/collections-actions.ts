import { announce, downloadText, showProblem } from '@parley/page/parts'
import { create } from 'zustand'

import type { Collection, CollectionRun, SavedRequest } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { useStore } from '../store.ts'

/** Runs that are kept, by collection and newest first, and which collection is running. */
export const useCollectionRuns = create<{
  readonly runs: { readonly [collection: string]: readonly CollectionRun[] }
  readonly running: string | undefined
}>(() => ({ runs: {}, running: undefined }))

/** Asks for the runs of a collection, also those of earlier starts. */
export async function loadRuns(name: string): Promise<void> {
  try {
    keepRuns(name, await openChannel().ask('collections/runs', { name }))
  } catch (error) {
    showProblem(error, `The history of ${name} could not be read`)
  }
}

function keepRuns(name: string, runs: readonly CollectionRun[]) {
  useCollectionRuns.setState((state) => ({ runs: { ...state.runs, [name]: runs } }))
}

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

/** Gives a collection to the user as a file. */
export async function exportCollection(name: string): Promise<void> {
  try {
    const file = await openChannel().ask('collections/export', { name })
    downloadText(file.name, file.text, 'application/json')
  } catch (error) {
    showProblem(error, `${name} could not be exported`)
  }
}

/** Takes a collection from a file; returns its name here. */
export async function importCollection(file: File): Promise<string | undefined> {
  try {
    const { name, collections } = await openChannel().ask('collections/import', {
      text: await file.text(),
    })
    useStore.setState({ collections })
    announce(`${name} was imported`)
    return name
  } catch (error) {
    showProblem(error, `${file.name} could not be imported`)
    return undefined
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
    const [, ...earlier] = await openChannel().ask('collections/runs', { name })
    keepRuns(name, [run, ...earlier]) // the newest in full, though it may be kept in part
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
