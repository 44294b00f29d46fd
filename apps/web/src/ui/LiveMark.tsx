import css from './LiveMark.module.css'

/** Beside the one deployment whose build the site serves now. */
export const LiveMark = () => (
  <span className={css['mark']} title="The site serves this build now">
    Live
  </span>
)
