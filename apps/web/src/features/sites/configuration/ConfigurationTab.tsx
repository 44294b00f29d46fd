import type { SiteDetails } from '@agency/contract/types'
import { CheckSections } from '../checks/CheckSections.tsx'
import { BeaconSection } from './BeaconSection.tsx'
import css from './configuration.module.css'
import { EnvironmentSection } from './EnvironmentSection.tsx'
import { SettingsSection } from './SettingsSection.tsx'

export function ConfigurationTab({ site }: { site: SiteDetails }) {
  return (
    <div className={css['tab']}>
      <EnvironmentSection siteId={site.id} />
      <SettingsSection settings={site.settings} site={site} />
      <CheckSections site={site} />
      <BeaconSection site={site} />
    </div>
  )
}
