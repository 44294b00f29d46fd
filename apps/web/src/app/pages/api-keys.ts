import { ApiKeysPage } from '../../features/api-keys/ApiKeysPage.tsx'
import { apiKeysList } from '../../features/api-keys/api-key-search.ts'
import type { PageModule } from '../page.tsx'

export const apiKeysPage: PageModule = { Page: ApiKeysPage, queriesFor: apiKeysList.queriesFor }
