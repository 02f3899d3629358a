import { platform } from 'node:process'

import type { Reporter, TestModule, Vitest } from 'vitest/node'

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
  const cure = system === 'linux' ? `run apt-get install -y ${packages}` : 'install them'
  return `${skipped} tests were skipped. Programs that are missing here: ${names}. To test with them, ${cure}`
}
