export * from './tasks/index.ts'
