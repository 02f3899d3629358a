export { isPdf, readPdf } from './pdf.ts'
export { simplifyHtml, type SimplifiedPage } from './simplify.ts'
