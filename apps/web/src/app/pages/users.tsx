import { useSearchParams } from 'react-router'
import { AdminUsersPage } from '../../features/admin-users/AdminUsersPage.tsx'
import { usersQueries } from '../../features/admin-users/users-list.ts'
import { ProfilePage } from '../../features/profile/ProfilePage.tsx'
import type { PageModule } from '../page.tsx'

/** The profile is a tab of its own that everybody may open. */
function UsersPage() {
  const [params] = useSearchParams()
  return params.get('tab') === 'profile' ? <ProfilePage /> : <AdminUsersPage />
}

export const usersPage: PageModule = { Page: UsersPage, queriesFor: usersQueries }
