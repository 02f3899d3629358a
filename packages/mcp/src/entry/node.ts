export { serve, type ServeAnyOptions } from '../transport/serve.ts'
