import about from './de/about.json';
import common from './de/common.json';
import company from './de/company.json';
import learn from './de/learn.json';
import log from './de/log.json';
import pages from './de/pages.json';
import refusals from './de/refusals.json';
import rules from './de/rules.json';
import table from './de/table.json';

export default {
  ...about,
  ...common,
  ...company,
  ...learn,
  ...log,
  ...pages,
  ...refusals,
  ...rules,
  ...table,
};
