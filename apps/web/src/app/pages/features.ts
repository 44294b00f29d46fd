import { FeatureFlagsPage } from '../../features/feature-flags/FeatureFlagsPage.tsx'
import { flagsList } from '../../features/feature-flags/flags-list.ts'
import type { PageModule } from '../page.tsx'

export const featuresPage: PageModule = { Page: FeatureFlagsPage, queriesFor: flagsList.queriesFor }
