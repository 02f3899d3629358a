import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs a module in a process where `@modelcontextprotocol/sdk` is this package, as it was built. */
export function runModule(text: string): Promise<{ stdout: string; stderr: string }> {
  const register = new URL('../dist/register.js', import.meta.url).href
  const args = ['--import', register, '--input-type=module', '--eval', text]
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd }, (_error, stdout, stderr) => {
      resolve({ stdout, stderr })
    })
    child.stdin?.end()
  })
}
