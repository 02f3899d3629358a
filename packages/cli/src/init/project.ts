import { version } from '../version.ts'
import { appFiles } from './app-project.ts'
import { clientFiles } from './client-project.ts'
import type { Project } from './project-file.ts'
import { serverFiles } from './server-project.ts'

/** What kinds of projects there are. */
export const projectKinds = ['server', 'client', 'app'] as const
export type ProjectKind = (typeof projectKinds)[number]

/** Everything a new project needs to build, run and pass its own test. */
export function createProject(kind: ProjectKind, name: string): Project {
  return [
    ['package.json', packageFile(kind, name)],
    ['tsconfig.json', tsconfig],
    ['.gitignore', 'node_modules/\ndist/\n'],
    ...files[kind](name),
  ]
}

const files = { server: serverFiles, client: clientFiles, app: appFiles } as const

function packageFile(kind: ProjectKind, name: string): string {
  const isServer = kind !== 'client'
  const main = isServer ? 'main' : 'client'
  return `${JSON.stringify(
    {
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      ...(isServer && { bin: { [name]: 'dist/main.js' } }),
      scripts: {
        build: 'tsc',
        start: `tsc && node dist/${main}.js`,
        test: `tsc && node --test dist/${kind}.test.js`,
        ...(isServer && {
          dev: 'parley dev src/server.ts',
          check: 'tsc && parley check -- node dist/main.js',
        }),
      },
      dependencies: { '@parley/mcp': `^${version}`, ...(isServer && { zod: '^4.6.0' }) },
      devDependencies: {
        ...(isServer && { '@parley/cli': `^${version}` }),
        '@types/node': '^20.19.0',
        typescript: '~7.0',
      },
      engines: { node: '>=20.19' },
    },
    undefined,
    2,
  )}\n`
}

const tsconfig = `{
  "compilerOptions": {
    "strict": true,
    "module": "NodeNext",
    "target": "ES2022",
    "lib": ["ES2023", "ESNext.Disposable"],
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist",
    "rewriteRelativeImportExtensions": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`
