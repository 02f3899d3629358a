import { Buffer } from 'node:buffer'

import { defineResource, type Feature } from '@parley/mcp/server'

import { completeId, demoContents, readId, type ResourceType } from './demo-resource.ts'
import { documents } from './documents.ts'
import type { FindSession, SessionFile } from './session.ts'
import { sessionUri } from './tools/gzip.ts'
import type { SubscriberUpdates } from './tools/subscriber-updates.ts'

type Watch = SubscriberUpdates['watch']

/** All resources; `watch` runs while somebody follows one of them. */
export function resources(watch: Watch, sessionOf: FindSession): readonly Feature[] {
  return [
    ...Object.entries(documents).map(([name, text]) => document(name, text, watch)),
    dynamic('Text', 'demo://resource/dynamic/text/{resourceId}', 'text/plain', watch),
    dynamic('Blob', 'demo://resource/dynamic/blob/{resourceId}', 'application/octet-stream', watch),
    sessionFiles(watch, sessionOf),
  ]
}

function document(name: string, text: string, watch: Watch): Feature {
  return defineResource(
    `demo://resource/static/document/${name}`,
    {
      name,
      description: `A text about this server: ${name}`,
      mimeType: 'text/markdown',
      cache: { ttlMs: 3_600_000, scope: 'public' },
      watch,
    },
    () => text,
  )
}

/** One resource for every positive integer; too many to list. */
function dynamic(
  type: ResourceType,
  template: `demo://resource/dynamic/${string}/{resourceId}`,
  mimeType: string,
  watch: Watch,
): Feature {
  return defineResource(
    template,
    {
      name: `Dynamic ${type} Resource`,
      description: 'Made from its id, a positive integer, when it is read.',
      mimeType,
      complete: { resourceId: completeId },
      watch,
    },
    ({ resourceId }) => {
      const id = readId(resourceId)
      return id === undefined ? undefined : demoContents(type, id)
    },
  )
}

/** Files made by tools: each session lists and reads its own. */
function sessionFiles(watch: Watch, sessionOf: FindSession): Feature {
  return defineResource(
    'demo://resource/session/{name}',
    {
      name: 'Session Resource',
      // The members are worth listing, the template is not: nobody can guess a name.
      visible: ({ operation }) => operation !== 'resources/templates/list',
      list: (context) => [...sessionOf(context).files.values()].map(listed),
      watch,
    },
    ({ name }, context) => {
      const file = sessionOf(context).files.get(name)
      if (file === undefined) return undefined
      const blob = Buffer.from(file.bytes).toString('base64')
      return { uri: context.uri, mimeType: file.mimeType, blob }
    },
  )
}

function listed({ name, mimeType, bytes }: SessionFile) {
  return { uri: sessionUri(name), name, mimeType, size: bytes.byteLength }
}
