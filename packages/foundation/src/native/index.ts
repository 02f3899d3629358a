export {
  fetchNative,
  findNative,
  NativeMissing,
  nativePackages,
  requireNative,
  type NativeName,
  type NativePackage,
} from './native-packages.ts'
export {
  hasSqlite,
  openSqlite,
  type SqliteFile,
  type SqliteStatement,
  type SqliteValue,
} from './sqlite.ts'
