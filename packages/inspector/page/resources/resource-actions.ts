import type { ResourceActions } from '@parley/page/content'
import { recordOf } from '@parley/page/json'

import type { ServerView } from '../../src/protocol/index.ts'
import { pick } from '../view.ts'
import { subscribe } from './subscriptions.ts'

/** What can be done with a link to a resource of a server. */
export function resourceActions({ name, session }: ServerView): ResourceActions {
  const canSubscribe = recordOf(session?.server.capabilities['resources'])['subscribe'] === true
  return {
    onOpen: (uri) => pick(name, 'resources', uri),
    ...(canSubscribe && { onSubscribe: (uri: string) => void subscribe(name, uri) }),
  }
}
