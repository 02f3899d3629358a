import { errorMessage } from '@parley/mcp/json'

import type { Catalogue, OpenCatalogue } from '../../options.ts'
import { checkParams } from '../checks.ts'
import type { Handlers } from '../handlers.ts'
import { ProblemError } from '../problem.ts'
import type { Servers } from './servers.ts'

type Methods = 'catalogue/search' | 'catalogue/read' | 'catalogue/add'

/** Finds servers in a registry, by what whoever started us has given us for it, and adds them. */
export function createCatalogue(
  open: OpenCatalogue | undefined,
  servers: Servers,
): Handlers<Methods> {
  async function ask<T>(
    registry: string | undefined,
    question: (catalogue: Catalogue) => Promise<T>,
  ): Promise<T> {
    if (open === undefined) {
      throw new ProblemError(
        'no_registry',
        'browsing a registry is not available in this inspector',
        {
          hint: 'In a terminal: parley search and parley add.',
        },
      )
    }
    try {
      return await question(await open(registry))
    } catch (error) {
      if (error instanceof ProblemError) throw error
      const message = errorMessage(error)
      throw new ProblemError('registry', message)
    }
  }

  return {
    'catalogue/search': ({ text, registry }) =>
      ask(registry, async (catalogue) => ({
        registry: catalogue.url,
        items: await catalogue.search(text),
      })),
    'catalogue/read': ({ name, version, registry }) =>
      ask(registry, (catalogue) => catalogue.read(name, version)),
    'catalogue/add': async ({ as, registry, ...choice }) => {
      const entry = await ask(registry, (catalogue) => catalogue.fill(choice))
      const added = { name: as, entry }
      checkParams('servers/add', added) // it comes from a stranger
      return servers.handlers['servers/add'](added)
    },
  }
}
