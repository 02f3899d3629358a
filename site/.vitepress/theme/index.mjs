import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h, nextTick, onMounted, watch } from 'vue'

import './style.css'

/** The landing page of the default theme has no landmark for its content. */
const Layout = {
  setup() {
    const route = useRoute()
    const mark = () =>
      nextTick(() => document.querySelector('.VPHome')?.setAttribute('role', 'main'))
    onMounted(mark)
    watch(() => route.path, mark)
    return () => h(DefaultTheme.Layout)
  },
}

export default { extends: DefaultTheme, Layout }
