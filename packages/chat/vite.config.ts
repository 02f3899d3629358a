import { pageConfig } from '@parley/page/vite'

export default pageConfig(import.meta.url, 'Parley Chat')
