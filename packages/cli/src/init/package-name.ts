/** What npm takes as a name, and what is not also one of the packages that a new project needs. */
export function packageName(folder: string): string {
  const name = folder
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .slice(0, 200)
    .replaceAll(/^[._-]+|[._-]+$/g, '')
  if (name === '') return 'mcp-project'
  return reserved.has(name) ? `${name}-project` : name
}

const reserved = new Set(['node_modules', 'favicon.ico', 'parley', 'typescript', 'zod'])
