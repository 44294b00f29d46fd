import { ConfigPage } from '../../features/settings/ConfigPage.tsx'
import { configQueries } from '../../features/settings/settings-search.ts'
import type { PageModule } from '../page.tsx'

export const configPage: PageModule = { Page: ConfigPage, queriesFor: configQueries }
