import { defineResource, type Feature } from '@parley/mcp/server'

import { readId } from '../demo-resource.ts'

/** As many resources as wanted, to see how a client reads a long list. They are made while a page is read. */
export function numberedResources(count: number): Feature {
  return defineResource(
    'demo://resource/numbered/{number}',
    {
      name: 'Numbered Resource',
      description: `The numbers from 1 to ${count}, each a resource of its own.`,
      mimeType: 'text/plain',
      async *list() {
        for (let number = 1; number <= count; number += 1) {
          const uri = `demo://resource/numbered/${number}`
          yield { uri, name: `Number ${number}`, mimeType: 'text/plain' }
        }
      },
    },
    ({ number }) => {
      const id = readId(number)
      return id === undefined || id > count ? undefined : `This is number ${id} of ${count}.`
    },
  )
}
