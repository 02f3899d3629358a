/** Says of a path of the official SDK that it is missing here. Node's own words would name this package alone. */
export function describeMissing(error: unknown, specifier: string): unknown {
  const { code } = error as { code?: unknown }
  if (code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') return error
  return Object.assign(
    new Error(`${specifier} is missing in @parley/compat, which has the paths of version 1.32.2`, {
      cause: error,
    }),
    { code },
  )
}
