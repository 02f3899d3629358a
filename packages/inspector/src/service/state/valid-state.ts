import type { Methods } from '../../protocol/index.ts'
import { checkParams } from '../checks.ts'
import type { SavedState } from './state-file.ts'

/** What was kept, without what the page could not have sent: somebody may have edited the file. */
export function onlyValid(saved: SavedState): SavedState {
  const { collections, rules, preferences, servers, model } = saved
  const isModelGood = model && isValid('model/save', { url: model.url, model: model.model })
  return {
    collections: collections.filter((one) => isValid('collections/save', one)),
    rules: rules.filter((rule) => isValid('rules/save', { rules: [rule] })),
    preferences: isValid('preferences/save', preferences) ? preferences : {},
    servers: servers
      .filter((one) => isValid('servers/add', { name: one?.name, entry: one?.entry }))
      .map(({ name, entry, settings }) => {
        const isGood = settings !== undefined && isValid('servers/settings', { name, settings })
        return isGood ? { name, entry, settings } : { name, entry }
      }),
    ...(isModelGood && { model }),
  }
}

function isValid(method: keyof Methods, params: unknown): boolean {
  try {
    checkParams(method, params)
    return true
  } catch {
    return false
  }
}
