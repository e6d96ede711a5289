import about from './en/about.json';
import common from './en/common.json';
import company from './en/company.json';
import learn from './en/learn.json';
import log from './en/log.json';
import pages from './en/pages.json';
import refusals from './en/refusals.json';
import rules from './en/rules.json';
import table from './en/table.json';

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
