-- Positions are forgotten once nobody may go on behind them any more; the changes of status themselves stay.
DROP TRIGGER transition_places_are_append_only ON transition_places;
CREATE TRIGGER transition_places_are_never_updated BEFORE UPDATE ON transition_places
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
