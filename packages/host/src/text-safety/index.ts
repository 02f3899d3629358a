export { showHidden } from './hidden-characters.ts'
