import { env, platform } from 'node:process'

import type { Reporter, TestModule, Vitest } from 'vitest/node'

import { hasOfficialSchemas } from '../official-schema.ts'
import { programs } from '../programs.ts'

/** Says at the end of a run which programs skipped tests need, and the one command that installs them. */
export class MissingPrograms implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest?.getGlobalTestNamePattern() !== undefined) return // it skips all others too
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    const missing = programs.filter(({ path }) => path === undefined)
    const text = describeMissing(skipped.length, missing)
    if (text !== undefined) console.log(`\n${text}`)
    const suites = describeSuites(modules.map(({ moduleId }) => moduleId))
    if (suites !== undefined) console.log(`\n${suites}`)
  }
}

/** Undefined where nothing was skipped, or nothing is missing. */
export function describeMissing(
  skipped: number,
  missing: readonly { readonly name: string; readonly package: string }[],
  system: NodeJS.Platform = platform,
): string | undefined {
  if (skipped === 0 || missing.length === 0) return undefined
  const names = missing.map(({ name }) => name).join(', ')
  const packages = missing.map((program) => program.package).join(' ')
  const fix = system === 'linux' ? `run apt-get install -y ${packages}` : 'install them'
  return `${skipped} tests were skipped. Programs that are missing here: ${names}. To test with them, ${fix}`
}

/** What tests compare with and `npm ci` does not bring, and the tests that read each. `.ci/run` fetches all but the schemas of MCP. */
const suites = [
  {
    name: 'JSON Schema test suite',
    readBy: 'json-schema/test-suite.test.ts',
    isHere: env['JSON_SCHEMA_TEST_SUITE'] !== undefined,
    fix: 'name a checkout of it by JSON_SCHEMA_TEST_SUITE',
  },
  {
    name: 'official schemas of MCP',
    readBy: 'wire/official-schemas.test.ts',
    isHere: hasOfficialSchemas,
    fix: 'they are read where the specification lies beside this repository',
  },
  {
    name: 'OpenAPI documents of GitHub, Stripe and Kubernetes',
    readBy: 'openapi/public-documents.slow.test.ts',
    isHere: env['PARLEY_OPENAPI_DOCUMENTS'] !== undefined,
    fix: 'name a folder that has them by PARLEY_OPENAPI_DOCUMENTS',
  },
  {
    name: 'Nest',
    readBy: 'examples/test/nest.test.ts',
    isHere: env['PARLEY_NEST'] !== undefined,
    fix: 'name a folder that has it by PARLEY_NEST',
  },
] as const

/** What these files would have compared with, and did not; undefined if there is nothing. */
export function describeSuites(
  files: readonly string[],
  known: readonly Suite[] = suites,
): string | undefined {
  const skipped = known.filter(
    ({ readBy, isHere }) => !isHere && files.some((file) => file.endsWith(readBy)),
  )
  if (skipped.length === 0) return undefined
  return `Skipped, since it is not here: ${skipped.map(({ name, fix }) => `${name} (${fix})`).join(', ')}`
}

interface Suite {
  readonly name: string
  readonly readBy: string
  readonly isHere: boolean
  readonly fix: string
}
