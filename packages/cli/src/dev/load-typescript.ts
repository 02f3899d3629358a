import { register } from 'node:module'
import { features } from 'node:process'

/** Lets `import()` take TypeScript from here on; newer versions of Node do it by themselves. */
export function allowTypeScript(): void {
  if ('typescript' in features && features.typescript) return
  register(new URL('./typescript-hooks.js', import.meta.url))
}
