import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The folder of a program's built page: `dist/page` of its package, or `pages/NAME` beside a program that contains several.
 * The caller's file must be in `src` or `dist` itself.
 */
export function builtPage(name: string, callerUrl: string): string {
  const beside = fileURLToPath(new URL(`pages/${name}`, callerUrl))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../dist/page', callerUrl))
}
