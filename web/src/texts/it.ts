import about from './it/about.json';
import common from './it/common.json';
import company from './it/company.json';
import learn from './it/learn.json';
import log from './it/log.json';
import pages from './it/pages.json';
import refusals from './it/refusals.json';
import rules from './it/rules.json';
import table from './it/table.json';

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
